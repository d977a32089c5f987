"""What requests and answers look like; the OpenAPI document is made from it."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from tamis.memory_git.context import PROJECTION_VERSION
from tamis.memory_git.records import SHARED_MAIN

LONGEST_QUERY = 8_000
Name = Annotated[str, Field(max_length=300)]
Query = Annotated[
    str, Field(max_length=LONGEST_QUERY, description="What the memories are wanted for.")
]
Ref = Annotated[Name, Field(description="The ref whose accepted history counts.")]
Head = Annotated[
    Name, Field(description="An older head of that ref; its newest where it is empty.")
]
Limit = Annotated[
    int, Field(description="How many memories at most: 20 where it is 0 or less, never over 100.")
]
Budget = Annotated[
    int,
    Field(ge=0, le=1_000_000, description="Tokens of the text; the home's own budget where 0."),
]
Session = Annotated[
    Name,
    Field(description="The session that asks: its key, or its canonical id."),
]
Trigger = Annotated[Name, Field(description="What started the session; a machine gets nothing.")]


class Asked(BaseModel):
    """What a context is asked for."""

    # Lethe's clients may send more than this; what is not known changes nothing.
    model_config = ConfigDict(extra="ignore")

    ref_name: Ref = SHARED_MAIN
    head_changeset_id: Head = ""
    query: Query = ""
    limit: Limit = 0
    budget: Budget = 0
    session_id: Session = ""
    trigger: Trigger = ""
    actor_id: Annotated[
        Name, Field(description="Who asks; told and not heeded: the key says whose memory it is.")
    ] = ""


class ContextAsked(Asked):
    """The body of a request for a context."""

    create_manifest: Annotated[
        bool,
        Field(description="Store the manifest, where the key was granted that for this project."),
    ] = False


class ManifestAsked(Asked):
    """The body of a request that pins a context and wants its manifest."""

    project_id: Annotated[str, Field(min_length=1, max_length=300)]


class Memory(BaseModel):
    """One accepted memory."""

    model_config = ConfigDict(extra="allow")

    memory_id: str
    content: str


class ContextTold(BaseModel):
    """The accepted memory of a project at one head."""

    model_config = ConfigDict(extra="allow")

    project_id: str | None
    ref_name: str | None
    head_changeset_id: str | None
    projection_version: str = PROJECTION_VERSION
    manifest_id: Annotated[
        str | None, Field(description="Null where a machine asked, and nothing was assembled.")
    ]
    manifest_stored: bool
    memories: list[Memory]
    relationships: list[dict[str, Any]]
    unresolved_conflicts: list[str]
    inclusion_reasons: dict[str, str]
    exclusion_reasons: dict[str, str]
    text: Annotated[str, Field(description="What a model is shown, within the budget.")]


class ManifestTold(BaseModel):
    """What was stored of one assembled context."""

    model_config = ConfigDict(extra="allow")

    manifest_id: str
    project_id: str
    ref_name: str
    head_changeset_id: str


class ManifestsTold(BaseModel):
    """Manifests, the newest first."""

    manifests: list[ManifestTold]


class Health(BaseModel):
    """Whether there is a build to read."""

    status: str


class Problem(BaseModel):
    """Why a request was refused."""

    error: str
    code: str
    fields: Annotated[
        list[str] | None, Field(description="The parts of the request that are wrong.")
    ] = None
