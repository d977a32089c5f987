with
    files as (select * from {{ source("openclaw", "memory_files") }}),

    lines as ({{ memory_lines("files") }}),

    marked as (
        select
            *,
            {{ excerpt_start() }} as excerpt_start,
            {{ is_excerpt() }} as is_excerpt,
            first_value(
                {{ first_match("line", "^- \\*\\*Session ID\\*\\*: (\\S+)") }} ignore nulls
            ) over file as session_id,
            first_value(
                {{ first_match("line", "^- \\*\\*Session Key\\*\\*: (\\S+)") }} ignore nulls
            ) over file as session_key
        from lines
        window
            file as (
                partition by record_id
                order by line_number
                rows between unbounded preceding and unbounded following
            )
    ),

    spoken as (
        select *, {{ first_match("line", "^(user|assistant):(?: |$)") }} as speaker
        from marked
        where is_excerpt and line_number > excerpt_start
    ),

    numbered as (
        select
            *,
            count(speaker) over (
                partition by record_id order by line_number
            ) as turn_number
        from spoken
    ),

    turns as (
        select
            record_id,
            container,
            landed_at,
            session_id,
            session_key,
            turn_number,
            min_by(speaker, line_number) as speaker,
            string_agg(line, chr(10) order by line_number) as written
        from numbered
        where turn_number > 0
        group by all
    ),

    heard as (
        select
            * exclude (written),
            {{
                queued_messages(
                    trim_white_space(
                        "regexp_replace(written, '^(?:user|assistant): ?', '')"
                    )
                )
            }} as messages
        from turns
    ),

    said as (
        select
            * exclude (messages, content), {{ trim_white_space("content") }} as content
        from {{ each_item("heard", "messages", "content", "message_number") }}
    )

select
    record_id,
    container,
    landed_at,
    session_id,
    session_key,
    speaker,
    content,
    row_number() over (
        partition by record_id, speaker, content order by turn_number, message_number
    ) as occurrence
from said
