with
    chats as (select * from {{ source("aider", "chats") }}),

    read_chats as (
        select
            record_id,
            container,
            landed_at,
            {{ history_folder("origin", "/\\.aider\\.chat\\.history\\.md$") }} as cwd,
            {{ readable_json("payload") }} as chat_json
        from chats
    ),

    parsed as (
        select
            record_id,
            container,
            landed_at,
            cwd,
            {{ json_fields("chat_json", aider_fields()) }} as chat
        from read_chats
    ),

    split as (
        select
            record_id,
            container,
            landed_at,
            cwd,
            chat.folder as folder,
            {{ utc_timestamp("chat.started") }} as started_at,
            {{ split_on("chat.text", "\\r?\\n") }} as lines
        from parsed
    ),

    -- aider marks what was entered and what it prints at both ends of a line, which
    -- tells them from headings and quotes of the model.
    marked as (
        select
            *,
            case
                when line = ''
                then null
                when starts_with(line, '#### ') and ends_with(line, '  ')
                then 'user'
                when starts_with(line, '>') and ends_with(line, '  ')
                then 'tool'
                else 'assistant'
            end as speaker
        from {{ each_item("split", "lines", "line", "line_number") }}
    ),

    followed as (
        select
            *,
            lag(speaker) over chat as speaker_of_line_before,
            last_value(speaker ignore nulls) over (
                partition by record_id
                order by line_number
                rows between unbounded preceding and 1 preceding
            ) as speaker_before
        from marked
        window chat as (partition by record_id order by line_number)
    ),

    -- A blank line belongs to what is around it, save between two inputs.
    numbered as (
        select
            *,
            sum(
                case
                    when speaker is null
                    then 0
                    when speaker is distinct from speaker_before
                    then 1
                    when speaker = 'user' and speaker_of_line_before is null
                    then 1
                    else 0
                end
            ) over (partition by record_id order by line_number) as block_number
        from followed
    )

select
    record_id,
    any_value(container) as chat_id,
    any_value(landed_at) as landed_at,
    any_value(cwd) as cwd,
    any_value(folder) as folder,
    any_value(started_at) as started_at,
    block_number::bigint as block_number,
    min(speaker) as speaker,
    {{
        trim_white_space(
            "string_agg(case when speaker = 'assistant' or speaker is null then line else rtrim(regexp_replace(line, '^(?:#### |> ?)', '')) end, chr(10) order by line_number)"
        )
    }}
    as content
from numbered
where block_number > 0
group by record_id, block_number
