{#
    The statements of Markdown memory files, one row each: a list item with what is indented below
    it, or a paragraph, each with the code behind it. Headings, and a few words that announce a
    list, are what a statement stands under. `lines` is what `memory_lines` gives.
#}
{% macro memory_statements(lines) %}
    with
        seen as (
            select
                *,
                lag(line_kind) over file as kind_before,
                last_value(
                    case when line_kind <> 'blank' then line_kind end ignore nulls
                ) over above as kind_above,
                last_value(
                    case
                        when line_kind not in ('blank', 'code') and indent < 2
                        then line_kind
                    end ignore nulls
                ) over above as kind_at_margin
            from {{ lines }}
            window
                file as (partition by record_id order by line_number),
                above as (
                    partition by record_id
                    order by line_number
                    rows between unbounded preceding and 1 preceding
                )
        ),

        cut as (
            select
                *,
                coalesce(
                    case
                        line_kind
                        when 'heading'
                        then true
                        when 'rule'
                        then true
                        when 'item'
                        then indent < 2 or kind_at_margin <> 'item'
                        when 'code'
                        then is_code_start and kind_above in ('heading', 'rule')
                        when 'text'
                        then
                            kind_before <> 'item'
                            and kind_before <> 'text'
                            and (indent < 2 or kind_at_margin <> 'item')
                        else false
                    end,
                    true
                ) as is_start
            from seen
        ),

        grouped as (
            select
                *,
                count(case when is_start then 1 end) over (
                    partition by record_id order by line_number
                ) as block_number
            from cut
        ),

        blocks as (
            select
                record_id,
                container,
                landed_at,
                origin,
                origin_modified_at,
                front_matter,
                block_number,
                min_by(line_kind, line_number) as block_kind,
                string_agg(
                    case when line_kind = 'blank' then '' else line end,
                    chr(10)
                    order by line_number
                ) as written
            from grouped
            where block_number > 0
            group by all
        ),

        titled as (
            select
                *,
                case
                    when block_kind = 'heading'
                    then length({{ first_match("written", "^(#+)") }})
                end as level,
                case
                    when block_kind = 'item'
                    then regexp_replace(written, '{{ item_pattern() }}', '')
                    when block_kind = 'heading'
                    then regexp_replace(written, '^#+\s*|\s+#*\s*$', '', 'g')
                    else written
                end as said,
                lead(block_kind) over (
                    partition by record_id order by block_number
                ) as kind_below
            from blocks
        ),

        cleaned as (
            select
                * exclude (written, said),
                {{
                    trim_white_space(
                        replace_all("said", "\\n(?:[ \\t]*\\n){2,}", "\n\n")
                    )
                }} as statement
            from titled
        ),

        announced as (
            select
                *,
                block_kind = 'text'
                and kind_below = 'item'
                and regexp_matches(statement, '^[^\n]*[:：][*_]*$') as is_announcement
            from cleaned
        ),

        placed as (
            select
                *,
                {% for level in range(1, 7) %}
                    last_value(
                        case
                            when level < {{ level }}
                            then ''
                            when level = {{ level }}
                            then statement
                        end ignore nulls
                    ) over above as title_{{ level }},
                {% endfor %}
                last_value(
                    case
                        when is_announcement
                        then statement
                        when block_kind <> 'item'
                        then ''
                    end ignore nulls
                ) over above as announcement
            from announced
            window above as (partition by record_id order by block_number)
        )

    select
        record_id,
        container,
        landed_at,
        origin,
        origin_modified_at,
        front_matter,
        block_number,
        statement,
        {{ memory_owner("container") }} as owner,
        regexp_extract(container, '[^/]*$') as file_name,
        nullif(
            concat_ws(
                ' > ',
                {% for level in range(1, 7) %}
                    nullif(title_{{ level }}, ''){{ "," if not loop.last }}
                {% endfor %}
            ),
            ''
        ) as headings,
        case when block_kind = 'item' then nullif(announcement, '') end as announcement,
        row_number() over (
            partition by record_id, statement order by block_number
        ) as occurrence
    from placed
    where
        block_kind not in ('heading', 'rule')
        and statement <> ''
        and not (is_announcement and {{ matches("statement", label_pattern()) }})
{% endmacro %}
