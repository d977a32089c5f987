"""The systems whose captures tamis reads. A new source is one module and one line here."""

from tamis.sources.aider import AIDER
from tamis.sources.basic_memory import BASIC_MEMORY
from tamis.sources.claude_code import CLAUDE_CODE
from tamis.sources.claude_mem import CLAUDE_MEM
from tamis.sources.codex import CODEX
from tamis.sources.dream_facts import DREAM_FACTS
from tamis.sources.git import GIT
from tamis.sources.hive_mind import HIVE_MIND
from tamis.sources.lethe import LETHE
from tamis.sources.letta import LETTA
from tamis.sources.mcp_memory import MCP_MEMORY
from tamis.sources.mem0 import MEM0
from tamis.sources.openclaw import OPENCLAW
from tamis.sources.source import Source
from tamis.sources.specstory import SPECSTORY

# Git first: a folder whose answer lies in a file is not asked about.
SOURCES: tuple[Source, ...] = (
    GIT,
    CLAUDE_CODE,
    OPENCLAW,
    HIVE_MIND,
    CODEX,
    AIDER,
    BASIC_MEMORY,
    CLAUDE_MEM,
    DREAM_FACTS,
    LETHE,
    MEM0,
    LETTA,
    MCP_MEMORY,
    SPECSTORY,
)


def source_entities() -> list[str]:
    """Every source entity: the names of the raw tables."""
    return [entity for source in SOURCES for entity in source.entities]
