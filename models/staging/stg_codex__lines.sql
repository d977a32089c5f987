with
    rollout_lines as (select * from {{ source("codex", "rollouts") }}),

    read_lines as (
        select
            record_id, container, position, landed_at, {{ readable_json("payload") }} as line
        from rollout_lines
    ),

    parsed as (
        select
            record_id,
            container,
            position,
            landed_at,
            {{ json_fields("line", codex_fields()) }} as entry
        from read_lines
    ),

    -- A bare line is an item, the head of its file, or a mark.
    lines as (
        select
            record_id,
            container,
            position,
            landed_at,
            case
                when entry.payload is not null
                then entry.type
                when entry.type is not null
                then 'response_item'
                when entry.id is not null
                then 'session_meta'
                else entry.record_type
            end as line_type,
            case
                when entry.payload is not null then entry.payload.type else entry.type
            end as item_type,
            {{ utc_timestamp("entry.timestamp") }} as written_at,
            {{ utc_timestamp("coalesce(entry.payload.timestamp, entry.timestamp)") }}
            as started_at,
            entry.ordinal as ordinal,
            {{ codex_field("id") }} as id,
            {{ codex_field("role") }} as role,
            {{ codex_field("content") }} as content,
            {{ codex_field("message") }} as message,
            {{ codex_field("text") }} as text,
            {{ codex_field("summary") }} as summary,
            {{ codex_field("replacement_history") }} as replacement_history,
            {{ codex_field("name") }} as name,
            {{ codex_field("call_id") }} as call_id,
            {{ codex_field("arguments") }} as arguments,
            {{ codex_field("input") }} as input,
            {{ codex_field("action") }} as action,
            {{ codex_field("output") }} as output,
            {{ codex_field("item") }} as item,
            {{ codex_field("num_turns") }} as num_turns,
            {{ codex_field("phase") }} as phase,
            {{ codex_field("turn_id") }} as turn_id,
            {{ codex_field("cwd") }} as cwd,
            {{ codex_field("git") }} as git,
            {{ codex_field("cli_version") }} as cli_version,
            {{ codex_field("source") }} as source,
            {{ codex_field("thread_source") }} as thread_source,
            {{ codex_field("forked_from_id") }} as forked_from_id,
            {{ codex_field("parent_thread_id") }} as parent_thread_id
        from parsed
    ),

    heads as (
        select
            *, row_number() over (partition by container order by position) as head_number
        from lines
        where line_type = 'session_meta'
    ),

    -- The first head is the file's own; further ones came with a history that was
    -- copied in.
    sessions as (
        select
            container,
            started_at,
            cwd,
            nullif(git.branch, '') as git_branch,
            nullif(git.repository_url, '') as git_remote,
            cli_version,
            forked_from_id,
            coalesce(
                parent_thread_id,
                {{
                    json_string(
                        "source", "$.subagent.thread_spawn.parent_thread_id"
                    )
                }}
            ) as parent_thread_id,
            coalesce(
                thread_source in ('subagent', 'memory_consolidation')
                or json_type(source, '$.subagent') is not null,
                false
            ) as is_subagent
        from heads
        where head_number = 1
    ),

    named_ancestors as (
        select container, id as ancestor
        from heads
        where head_number > 1
        union
        select container, forked_from_id
        from sessions
        union
        select container, parent_thread_id
        from sessions
    ),

    ancestors as (
        select named_ancestors.container, named_ancestors.ancestor
        from named_ancestors
        inner join sessions as own on named_ancestors.container = own.container
        inner join sessions as older on named_ancestors.ancestor = older.container
        where
            named_ancestors.container <> named_ancestors.ancestor
            and coalesce(older.started_at <= own.started_at, true)
    ),

    -- A fork writes its parent's history again, at other times and by whatever version it
    -- has: what a line says is the same.
    keyed as (
        select
            record_id,
            container,
            position,
            item_type = 'user_message'
            or role = 'user'
            or turn_id is not null as is_mark,
            {{
                id_from(
                    [
                        "line_type",
                        "item_type",
                        "role",
                        "content",
                        "message",
                        "text",
                        "case when item_type = 'reasoning' then summary end",
                        "call_id",
                        "arguments",
                        "input",
                        "action",
                        "output",
                        "num_turns",
                        "turn_id",
                    ]
                )
            }} as line_key
        from lines
        where
            (
                container in (select container from ancestors)
                or container in (select ancestor from ancestors)
            )
            and (
                line_type in ('response_item', 'turn_context', 'compacted')
                or item_type in (
                    'user_message',
                    'agent_message',
                    'agent_reasoning',
                    'agent_reasoning_raw_content',
                    'item_completed',
                    'task_started',
                    'turn_started',
                    'thread_rolled_back'
                )
            )
    ),

    numbered as (
        select
            *,
            row_number() over (
                partition by container, line_key order by position, record_id
            ) as occurrence
        from keyed
    ),

    matched as (
        select
            own.record_id,
            min_by(
                original.record_id, (older.started_at, original.container)
            ) as original_id
        from numbered as own
        inner join ancestors on own.container = ancestors.container
        inner join
            numbered as original
            on ancestors.ancestor = original.container
            and own.line_key = original.line_key
            and own.occurrence = original.occurrence
        inner join sessions as older on original.container = older.container
        group by own.record_id
    ),

    -- The copied history ends where the file's own first turn begins.
    bounded as (
        select
            numbered.record_id,
            matched.original_id,
            sum(
                case when numbered.is_mark and matched.record_id is null then 1 else 0 end
            ) over (
                partition by numbered.container
                order by numbered.position, numbered.record_id
            ) as own_marks
        from numbered
        left join matched on numbered.record_id = matched.record_id
    ),

    replays as (
        select record_id, original_id
        from bounded
        where original_id is not null and own_marks = 0
    ),

    -- A fork of a fork may name its parent only, whose own line is a copy.
    origins as (
        select
            replays.record_id,
            coalesce(earlier.original_id, replays.original_id) as original_id
        from replays
        left join replays as earlier on replays.original_id = earlier.record_id
    ),

    named_places as (
        select
            record_id,
            container,
            position,
            written_at,
            turn_id,
            case
                when line_type = 'turn_context'
                then cwd
                when
                    role = 'user'
                    and contains(content::varchar, '<environment_context>')
                then {{ codex_named_folder(json_strings("content", "$[*].text")) }}
            end as named_cwd
        from lines
    ),

    places as (
        select
            named_places.record_id,
            named_places.container,
            coalesce(named_places.written_at, sessions.started_at) as occurred_at,
            coalesce(
                last_value(named_places.named_cwd ignore nulls) over so_far,
                sessions.cwd
            ) as cwd,
            last_value(named_places.turn_id ignore nulls) over so_far as turn_id,
            sessions.git_branch,
            sessions.git_remote,
            coalesce(sessions.is_subagent, false) as is_subagent,
            sessions.forked_from_id
        from named_places
        left join sessions on named_places.container = sessions.container
        window
            so_far as (
                partition by named_places.container
                order by named_places.position, named_places.record_id
                rows between unbounded preceding and current row
            )
    ),

    resolved as (
        select
            lines.record_id,
            lines.container,
            lines.position,
            lines.landed_at,
            lines.line_type,
            lines.item_type,
            lines.ordinal,
            lines.role,
            lines.content,
            lines.message,
            lines.text,
            lines.summary,
            lines.replacement_history,
            lines.name,
            lines.call_id,
            lines.arguments,
            lines.input,
            lines.action,
            lines.output,
            lines.item,
            lines.num_turns,
            lines.phase,
            sessions.cli_version,
            origins.record_id is not null as is_replay,
            places.record_id as native_id,
            places.container as session_id,
            places.occurred_at,
            places.cwd,
            places.turn_id,
            places.git_branch,
            places.git_remote,
            places.is_subagent,
            places.forked_from_id
        from lines
        left join sessions on lines.container = sessions.container
        left join origins on lines.record_id = origins.record_id
        inner join
            places
            on coalesce(origins.original_id, lines.record_id) = places.record_id
    )

select *
from resolved
