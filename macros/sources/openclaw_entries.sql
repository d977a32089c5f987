{#
    A subquery of transcript lines, whichever era stored them: in a file, in a row of the
    database, or all together in the row of a transcript that was reset or deleted.
    Columns: record_id, session_id, landed_at, source_entity, line (NULL where it can't be
    read), line_position, line_key (what tells the lines of one record apart; NULL where it holds one).
#}
{% macro openclaw_entries() %}
    (
        with
            lines as (select * from {{ source("openclaw", "entries") }}),

            rows_landed as (
                select * from {{ source("openclaw", "transcript_events") }}
            ),

            archives as (select * from {{ source("openclaw", "transcript_archives") }}),

            parsed_rows as (
                select
                    record_id,
                    landed_at,
                    position,
                    {{
                        json_fields(
                            readable_json("payload"),
                            {
                                "session_id": "VARCHAR",
                                "event_json": "VARCHAR",
                                "event_zstd": "VARCHAR",
                            },
                        )
                    }} as columns
                from rows_landed
            ),

            parsed_archives as (
                select
                    record_id,
                    landed_at,
                    {{
                        json_fields(
                            readable_json("payload"),
                            {"session_id": "VARCHAR", "archive_blob": "VARCHAR"},
                        )
                    }} as columns
                from archives
            ),

            split_archives as (
                select
                    record_id,
                    landed_at,
                    columns.session_id as session_id,
                    {{ split_on("columns.archive_blob", "\\n") }} as archived_lines
                from parsed_archives
            ),

            archived as (
                select
                    record_id,
                    session_id,
                    landed_at,
                    line_number,
                    {{ readable_json("archived_line") }} as line
                from
                    {{
                        each_item(
                            "split_archives",
                            "archived_lines",
                            "archived_line",
                            "line_number",
                        )
                    }}
            ),

            -- Many lines of one record: an id tells them
            -- apart, and the last with an id counts.
            numbered as (
                select
                    *,
                    coalesce(
                        {{ native_id(json_string("line", "$.id")) }},
                        left({{ sha256_hex("line") }}, 16)
                    ) as line_key
                from archived
                where line is not null
            ),

            ranked as (
                select
                    *,
                    row_number() over (
                        partition by record_id, line_key order by line_number desc
                    ) as place
                from numbered
            )

        select
            record_id,
            container as session_id,
            landed_at,
            'entries' as source_entity,
            {{ readable_json("payload") }} as line,
            position as line_position,
            null::varchar as line_key
        from lines
        union all
        select
            record_id,
            columns.session_id,
            landed_at,
            'transcript_events',
            {{ readable_json("coalesce(columns.event_json, columns.event_zstd)") }},
            position,
            null
        from parsed_rows
        union all
        select
            record_id,
            session_id,
            landed_at,
            'transcript_archives',
            line,
            line_number,
            line_key
        from ranked
        where place = 1
    )
{% endmacro %}
