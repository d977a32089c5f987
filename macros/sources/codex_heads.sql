{#
    The heads in Codex rollouts, numbered in their file: the first is the file's own, further ones
    came with a history that was copied in. Only a head of the first age has no type.
#}
{% macro codex_heads(rollouts) %}
    select
        container as session_id,
        {{ codex_field("id") }} as head_id,
        {{ utc_timestamp("coalesce(entry.payload.timestamp, entry.timestamp)") }}
        as started_at,
        nullif({{ codex_field("cwd") }}, '') as cwd,
        nullif({{ codex_field("git") }}.branch, '') as git_branch,
        nullif({{ codex_field("git") }}.repository_url, '') as git_remote,
        {{ codex_field("cli_version") }} as cli_version,
        {{ codex_field("forked_from_id") }} as forked_from_id,
        coalesce(
            {{ codex_field("parent_thread_id") }},
            {{
                json_string(
                    codex_field("source"),
                    "$.subagent.thread_spawn.parent_thread_id",
                )
            }}
        ) as parent_id,
        coalesce(
            {{ codex_field("thread_source") }} in ('subagent', 'memory_consolidation')
            or json_type({{ codex_field("source") }}, '$.subagent') is not null,
            false
        ) as is_subagent,
        row_number() over (
            partition by container order by candidate_number
        ) as head_number
    from
        (
            select
                container,
                candidate_number,
                {{ json_fields(readable_json("payload"), codex_fields()) }} as entry
            from
                (
                    -- The number keeps the engine from parsing before it searches.
                    select
                        container,
                        payload,
                        row_number() over (
                            partition by container order by position, record_id
                        ) as candidate_number
                    from {{ rollouts }}
                    where
                        contains(left(payload, 200), '"session_meta"')
                        or not contains(left(payload, 200), '"type"')
                ) as candidates
        ) as heads
    where
        entry.type = 'session_meta'
        or (entry.type is null and entry.payload is null and entry.id is not null)
{% endmacro %}
