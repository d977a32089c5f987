{#
    The lines of Markdown memory files, one row each, with what they are: heading, rule, item,
    text, code or blank. `files` has the columns of raw; a file is known by its container.
#}
{% macro memory_lines(files) %}
    with
        read_files as (
            select
                record_id,
                container,
                landed_at,
                origin,
                origin_modified_at,
                {{ json_string(readable_json("payload"), "$.text") }} as captured
            from {{ files }}
        ),

        ended as (
            select
                * exclude (captured),
                replace(
                    replace(captured, chr(13) || chr(10), chr(10)), chr(13), chr(10)
                ) as written
            from read_files
        ),

        -- A comment is for whoever edits the file: agents don't read it.
        uncommented as (
            select
                * exclude (written),
                {{ replace_all("written", "(?ms)^[ \\t]*<!--.*?-->", "") }} as written
            from ended
        ),

        split as (
            select
                * exclude (written),
                {{ first_match("written", front_matter_pattern()) }} as front_matter,
                {{
                    split_on(
                        "regexp_replace(written, '"
                        ~ front_matter_pattern()
                        ~ "', '')",
                        "\\n",
                    )
                }} as lines
            from uncommented
        ),

        numbered as (
            select * exclude (lines, line), rtrim(line) as line
            from {{ each_item("split", "lines", "line", "line_number") }}
        ),

        marked as (
            select
                *,
                {{ matches("line", "^\\s*(?:```[^`]*|~~~.*)$") }} as is_fence,
                length(line) - length(ltrim(line, ' ' || chr(9))) as indent
            from numbered
        ),

        fenced as (
            select
                *,
                sum(case when is_fence then 1 else 0 end) over (
                    partition by record_id order by line_number
                ) as fences
            from marked
        )

    select
        * exclude (is_fence, fences),
        is_fence and fences % 2 = 1 as is_code_start,
        case
            when is_fence or fences % 2 = 1
            then 'code'
            when line = '' or {{ matches("line", empty_item_pattern()) }}
            then 'blank'
            when {{ matches("line", "^#{1,6}(?:\\s|$)") }}
            then 'heading'
            when {{ matches("line", "^\\s{0,3}(?:(?:[-*_]\\s*){3,}|=+)$") }}
            then 'rule'
            when {{ matches("line", item_pattern()) }}
            then 'item'
            else 'text'
        end as line_kind
    from fenced
{% endmacro %}
