with
    rows_landed as (select * from {{ source("hive_mind", "memory_frames") }}),

    erasures as (select * from {{ ref("stg_hive_mind__erasures") }}),

    archive_rows as (select * from {{ source("hive_mind", "raw_archive") }}),

    session_rows as (select * from {{ source("hive_mind", "sessions") }}),

    -- Minds share names of sessions such as
    -- `harvest`: a project counts where all agree.
    sessions as (
        select
            {{ json_string("payload", "$.gop_id") }} as session_id,
            min({{ json_string("payload", "$.project_id") }}) as project_name
        from session_rows
        where json_valid(payload)
        group by 1
        having count(distinct {{ json_string("payload", "$.project_id") }}) = 1
    ),

    read_rows as (
        select
            record_id, container, landed_at, {{ readable_json("payload") }} as row_json
        from rows_landed
    ),

    parsed as (
        select
            record_id,
            container,
            landed_at,
            {{ json_fields("row_json", hive_mind_fields()) }} as frame
        from read_rows
    ),

    frames as (
        select
            record_id,
            landed_at,
            -- A frame's number is not unique, since every mind counts
            -- from one, and a copy or an import can carry all of its
            -- other marks: only the content tells such frames apart.
            concat_ws(
                '/',
                frame.gop_id,
                coalesce(frame.id, container),
                frame.created_at,
                left({{ sha256_hex("coalesce(frame.content, '')") }}, 16)
            ) as native_id,
            frame.gop_id as session_id,
            frame.base_frame_id as parent_native_id,
            frame.frame_type as frame_type,
            frame.importance as importance,
            frame.source as frame_source,
            frame.access_count as stored_access_count,
            case
                when frame.frame_type = 'B' and json_valid(frame.content)
                then
                    coalesce(
                        {{ json_string("frame.content", "$.description") }},
                        frame.content
                    )
                else frame.content
            end as content,
            {{
                json_fields(
                    readable_json("frame.metadata"),
                    {
                        "sourceId": "VARCHAR",
                        "archiveUid": "VARCHAR",
                        "archiveUids": ["VARCHAR"],
                    },
                )
            }} as links,
            {{
                first_match(
                    "frame.content",
                    "^\\s*\\[(?:hm|mind-rawturn|wiki-synth) ([^\\]]*)\\]",
                )
            }} as header,
            {{ first_match("frame.content", "^\\s*\\[(hm|mind-rawturn|wiki-synth) ") }}
            as header_kind,
            {{ utc_timestamp("frame.created_at") }} as occurred_at
        from parsed
    ),

    headed as (
        select
            *,
            {{ header_token("header", "session") }} as session_key,
            {{ header_token("header", "src") }} as captured_by,
            {{ header_token("header", "event") }} as hook_event,
            {{ header_token("header", "speaker") }} as speaker,
            {{ header_token("header", "conv") }} as conversation,
            {{ first_match("content", "^\\[Harvest:([^\\]]+)\\]") }} as harvested_from,
            coalesce(
                {{ header_token("header", "project") }},
                {{ header_token("header", "ws") }}
            ) as project_name
        from frames
    ),

    spoken as (
        select
            *,
            case
                when hook_event = 'user-prompt-submit' or speaker = 'user'
                then 'user'
                when hook_event = 'stop' or speaker = 'assistant'
                then 'assistant'
            end as role,
            {{ trigger_kind("session_key") }} as trigger_kind
        from headed
    ),

    -- A frame is erased with its subject: by the archived item
    -- that it was made from, by the conversation in its header,
    -- or by the reference that it was harvested under.
    archived_subjects as (
        select distinct
            {{ json_string("payload", "$.archive_uid") }} as archive_uid,
            {{ json_string("payload", "$.source") }} as source_name,
            {{ json_string("payload", "$.source_ref") }} as source_ref
        from archive_rows
        where json_valid(payload)
    ),

    erased_uids as (
        select distinct archived_subjects.archive_uid
        from archived_subjects
        inner join
            erasures
            on archived_subjects.source_name = erasures.source_name
            and archived_subjects.source_ref = erasures.source_ref
    ),

    linked as (
        select
            record_id, unnest(list_append(links.archiveuids, links.archiveuid)) as uid
        from spoken
        where links.archiveuids is not null or links.archiveuid is not null
    ),

    erased_frames as (
        select linked.record_id
        from linked
        inner join erased_uids on linked.uid = erased_uids.archive_uid
        union
        select spoken.record_id
        from spoken
        inner join erasures on spoken.conversation = erasures.conversation
        where spoken.header_kind = 'mind-rawturn'
        union
        select spoken.record_id
        from spoken
        inner join
            erasures
            on spoken.harvested_from = erasures.source_name
            and spoken.links.sourceid = erasures.source_ref
    ),

    marked as (
        select
            spoken.*,
            sessions.project_name as session_project_name,
            erased_frames.record_id is not null as is_erased
        from spoken
        left join sessions on spoken.session_id = sessions.session_id
        left join erased_frames on spoken.record_id = erased_frames.record_id
    ),

    events as (
        select
            {{ event_id("'hive_mind'", "native_id", part="'0'") }} as event_id,
            'hive_mind' as source_system,
            'memory_frames' as source_entity,
            native_id,
            '0' as part,
            parent_native_id,
            session_key,
            session_id,
            null::varchar as turn_id,
            {{ session_agent("session_key") }} as agent_id,
            {{ user_id() }} as user_id,
            role,
            case
                when header_kind = 'wiki-synth'
                then 'summary'
                when hook_event in ('session-start', 'session-end', 'pre-compact')
                then 'system'
                when hook_event = 'pre-tool-use'
                then 'tool_call'
                when hook_event = 'post-tool-use'
                then 'tool_result'
                when role is null
                then 'memory'
                else {{ said_kind("role", "content", "trigger_kind is not null") }}
            end as event_kind,
            trigger_kind,
            null::varchar as cwd,
            null::varchar as git_branch,
            case when is_erased then null else content end as content,
            occurred_at,
            landed_at,
            record_id,
            {{
                json_object_of(
                    {
                        "erased": "case when is_erased then true end",
                        "captured_by": "captured_by",
                        "hook_event": "hook_event",
                        "project_name": "coalesce(project_name, session_project_name)",
                        "importance": "importance",
                        "frame_source": "frame_source",
                        "frame_type": "frame_type",
                        "stored_access_count": "stored_access_count",
                    }
                )
            }} as metadata
        from marked
    )

select *
from events
