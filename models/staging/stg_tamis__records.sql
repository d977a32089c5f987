with
    records as (
        {{
            every_record(
                {
                    "claude_code__entries": "$.type",
                    "openclaw__entries": "$.type",
                    "hive_mind__memory_frames": "$.frame_type",
                    "codex__rollouts": "$.type",
                    "codex__history": none,
                    "claude_mem__observations": none,
                    "claude_mem__session_summaries": none,
                    "claude_mem__user_prompts": none,
                    "claude_mem__sdk_sessions": none,
                    "claude_mem__pending_messages": none,
                    "claude_mem__memory_items": none,
                    "claude_mem__agent_events": none,
                    "mem0__memories": none,
                    "mem0__history": none,
                    "mem0__messages": none,
                    "lethe__events": "$.event_type",
                    "lethe__sessions": none,
                    "lethe__changeset_ops": "$.op_type",
                    "lethe__context_memories": none,
                    "dream_facts__facts": none,
                    "mcp_memory__entries": none,
                    "letta__messages": "$.message.role",
                    "letta__blocks": none,
                    "basic_memory__notes": none,
                    "aider__chats": none,
                    "specstory__sections": none,
                    "openclaw__transcript_events": [
                        "$.type",
                        openclaw_event_text("payload"),
                    ],
                    "openclaw__transcript_archives": none,
                    "openclaw__hook_events": "$.type",
                    "openclaw__pending_inputs": none,
                    "hive_mind__raw_archive": none,
                    "claude_code__history": none,
                    "claude_code__memory_files": none,
                    "openclaw__memory_files": none,
                }
            )
        }}
    )

select *
from records
