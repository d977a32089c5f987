with
    statements as (select * from {{ ref("stg_claude_code__memory_statements") }}),

    entries as (select * from {{ source("claude_code", "entries") }}),

    placed as (
        select
            *,
            {{ first_match("owner", "^projects/([^/]+)$") }} as slug,
            replace(origin, chr(92), '/') as place
        from statements
    ),

    slugs as (select distinct slug from placed where slug is not null),

    -- A slug can't be read back, but a folder that sessions name can be written as one.
    folders as (
        select distinct
            slugs.slug,
            {{ json_string(readable_json("entries.payload"), "$.cwd") }} as cwd
        from slugs
        inner join
            entries
            on slugs.slug
            = {{
                first_match(
                    "replace(entries.origin, chr(92), '/')", "/([^/]+)/[^/]+[.]jsonl$"
                )
            }}
    ),

    homes as (
        select slug, min(cwd) as cwd
        from folders
        where regexp_replace(cwd, '[^A-Za-z0-9]', '-', 'g') = slug
        group by slug
        having count(*) = 1
    ),

    located as (
        select
            placed.*,
            case
                when placed.slug is not null
                then homes.cwd
                else
                    regexp_replace(
                        place, '/(?:[.]claude/(?:rules/.*|[^/]*)|[^/]*)$', ''
                    )
            end as cwd
        from placed
        left join homes on placed.slug = homes.slug
    )

select
    {{
        event_id(
            "'claude_code'", "native_id", session_id="null", role="null", part="'0'"
        )
    }} as event_id,
    'claude_code' as source_system,
    'memory_files' as source_entity,
    native_id,
    '0' as part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    null::varchar as session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    null::varchar as role,
    'memory' as event_kind,
    null::varchar as trigger_kind,
    cwd,
    null::varchar as git_branch,
    statement as content,
    {{ memory_time("file_name") }} as occurred_at,
    landed_at,
    record_id,
    {{ json_object_of({"context": memory_context(), "front_matter": "front_matter"}) }}
    as metadata
from located
