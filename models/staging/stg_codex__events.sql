with
    texts as (select * from {{ ref("stg_codex__texts") }}),

    sessions as (select * from {{ ref("stg_codex__sessions") }}),

    replays as (select * from {{ ref("stg_codex__replays") }}),

    history as (select * from {{ source("codex", "history") }}),

    placed as (
        select
            texts.*,
            coalesce(texts.said_at, sessions.started_at) as occurred_at,
            coalesce(texts.cwd, sessions.cwd) as folder,
            sessions.git_branch,
            sessions.git_remote,
            sessions.cli_version,
            sessions.forked_from_id,
            coalesce(sessions.is_subagent, false) as is_subagent
        from texts
        left join sessions on texts.session_id = sessions.session_id
        where texts.item_type is distinct from 'thread_rolled_back'
    ),

    -- A copied line is its original, seen again: with
    -- the original's session, time and place.
    originals as (
        select placed.*, replays.record_id as replay_id
        from placed
        inner join replays on placed.record_id = replays.original_id
    ),

    resolved as (
        select
            placed.record_id,
            placed.block_number,
            placed.landed_at,
            placed.line_type,
            placed.item_type,
            placed.phase,
            placed.ordinal,
            placed.speaker,
            placed.words,
            placed.is_copy,
            placed.cli_version,
            coalesce(originals.record_id, placed.record_id) as native_id,
            coalesce(originals.session_id, placed.session_id) as session_id,
            coalesce(originals.turn_id, placed.turn_id) as turn_id,
            coalesce(originals.occurred_at, placed.occurred_at) as occurred_at,
            coalesce(originals.folder, placed.folder) as cwd,
            coalesce(originals.git_branch, placed.git_branch) as git_branch,
            coalesce(originals.git_remote, placed.git_remote) as git_remote,
            coalesce(originals.is_subagent, placed.is_subagent) as is_subagent,
            case
                when originals.record_id is null then placed.forked_from_id
            end as forked_from_id,
            case
                when originals.record_id is not null then placed.session_id
            end as replayed_in
        from placed
        left join
            originals
            on placed.record_id = originals.replay_id
            and placed.block_number = originals.block_number
    ),

    rollout_events as (
        select
            'rollouts' as source_entity,
            native_id,
            (block_number - 1)::varchar as part,
            session_id,
            turn_id,
            speaker as role,
            case
                when ends_with(item_type, '_call')
                then 'tool_call'
                when ends_with(item_type, '_output')
                then 'tool_result'
                when line_type = 'compacted' or contains(item_type, 'compaction')
                then 'summary'
                when speaker in ('user', 'assistant')
                then {{ said_kind("speaker", "words", "is_subagent") }}
                else 'system'
            end as event_kind,
            cwd,
            git_branch,
            words as content,
            occurred_at,
            landed_at,
            record_id,
            {{
                json_object_of(
                    {
                        "block_type": "coalesce(item_type, line_type)",
                        "copy_kind": "case when is_copy then 'event_msg copy' end",
                        "phase": "phase",
                        "ordinal": "ordinal",
                        "is_subagent": "is_subagent",
                        "forked_from": "forked_from_id",
                        "replayed_in": "replayed_in",
                        "git_remote": "git_remote",
                        "tool_version": "cli_version",
                    }
                )
            }} as metadata
        from resolved
    ),

    parsed_prompts as (
        select
            record_id,
            container as session_id,
            position,
            landed_at,
            {{
                json_fields(
                    readable_json("payload"), {"ts": "VARCHAR", "text": "VARCHAR"}
                )
            }} as entry
        from history
    ),

    prompts as (
        select
            *,
            {{ sha256_hex(trim_white_space("entry.text")) }} as words_hash,
            row_number() over (
                partition by session_id, {{ trim_white_space("entry.text") }}
                order by try_cast(entry.ts as double), position, record_id
            ) as occurrence
        from parsed_prompts
        where entry.text is not null
    ),

    -- What a rollout of the session holds, the prompt history repeats; the n-th time
    -- is the n-th time.
    asked as (
        select
            placed.*,
            row_number() over (
                partition by placed.session_id, placed.words_hash
                order by placed.position, placed.record_id, placed.block_number
            ) as occurrence
        from placed
        left join replays on placed.record_id = replays.record_id
        where placed.is_persons and not placed.is_copy and replays.record_id is null
    ),

    prompt_events as (
        select
            'history' as source_entity,
            prompts.record_id as native_id,
            '0' as part,
            prompts.session_id,
            asked.turn_id,
            'user' as role,
            {{ said_kind("'user'", "prompts.entry.text", "false") }} as event_kind,
            coalesce(asked.folder, sessions.cwd) as cwd,
            sessions.git_branch,
            prompts.entry.text as content,
            coalesce(
                asked.occurred_at, {{ utc_timestamp("prompts.entry.ts") }}
            ) as occurred_at,
            prompts.landed_at,
            prompts.record_id,
            {{
                json_object_of(
                    {
                        "block_type": "'prompt'",
                        "copy_kind": "case when asked.record_id is not null then 'prompt history' end",
                        "git_remote": "sessions.git_remote",
                    }
                )
            }}
            as metadata
        from prompts
        left join
            asked
            on prompts.session_id = asked.session_id
            and prompts.words_hash = asked.words_hash
            and prompts.occurrence = asked.occurrence
        left join sessions on prompts.session_id = sessions.session_id
    ),

    gathered as (
        select *
        from rollout_events
        union all
        select *
        from prompt_events
    ),

    events as (
        select
            {{ event_id("'codex'", "native_id") }} as event_id,
            'codex' as source_system,
            source_entity,
            native_id,
            part,
            null::varchar as parent_native_id,
            null::varchar as session_key,
            session_id,
            turn_id,
            null::varchar as agent_id,
            {{ user_id() }} as user_id,
            role,
            event_kind,
            null::varchar as trigger_kind,
            cwd,
            git_branch,
            content,
            occurred_at,
            landed_at,
            record_id,
            metadata
        from gathered
    )

select *
from events
