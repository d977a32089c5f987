{#
    A text without what stands between opening and closing tags, however deeply they are nested.
    The tags count as brackets of one kind. A closing tag that closes nothing is a word, and so is
    an opening one that is never closed, unless it opens a line outside a code fence: then
    everything from there on belongs to it, unless it opens a sentence about the tag. Each `lambda`
    names what the next one needs. Where a block was, chr(1) stands, so that what stood around it is not taken for one word.
#}
{% macro without_blocks(text, tag) %}
    list_transform(
        list_transform(
            list_transform(
                [
                    struct_pack(
                        pieces := regexp_split_to_array({{ text }}, '{{ tag }}'),
                        tags := regexp_extract_all({{ text }}, '{{ tag }}')
                    )
                ],
                lambda found:struct_pack(
                    pieces := found.pieces,
                    tags := found.tags,
                    depths := list_reduce(
                        list_transform(
                            found.tags,
                            lambda mark:[
                                case when starts_with(mark, '</') then -1 else 1 end
                            ]
                        ),
                        lambda seen,
                        step:list_append(seen, greatest(0, seen[-1] + step[1])),
                        [0]
                    )
                )
            ),
            lambda found:struct_pack(
                pieces := found.pieces,
                tags := found.tags,
                depths := found.depths,
                never_closed := list_filter(
                    range(1, len(found.tags) + 1),
                    lambda place:found.depths[place + 1] > found.depths[place]
                    and list_min(found.depths[place + 1:]) = found.depths[place + 1]
                )
            )
        ),
        lambda found:list_transform(
            [
                list_filter(
                    range(1, len(found.pieces) + 1),
                    lambda place:found.depths[place]
                    = len(list_filter(found.never_closed, lambda open:open < place))
                )
            ],
            lambda kept:list_transform(
                [
                    coalesce(
                        list_min(
                            list_filter(
                                found.never_closed,
                                lambda open:list_contains(kept, open)
                                and regexp_matches(
                                    found.pieces[open], '(?:^|\n)[ \t]*$'
                                )
                                and not regexp_matches(
                                    found.pieces[open + 1],
                                    '{{ speaks_of_tag_pattern() }}'
                                )
                                and len(
                                    regexp_split_to_array(
                                        array_to_string(
                                            list_transform(
                                                list_filter(
                                                    kept, lambda place:place <= open
                                                ),
                                                lambda place:found.pieces[place]
                                            ),
                                            ''
                                        ),
                                        '```|~~~'
                                    )
                                )
                                % 2
                                = 1
                            )
                        ),
                        len(found.pieces)
                    )
                ],
                lambda last:array_to_string(
                    list_transform(
                        list_filter(kept, lambda place:place <= last),
                        lambda place:found.pieces[place] || case
                            when place = last or place > len(found.tags)
                            then ''
                            when
                                list_contains(found.never_closed, place)
                                or found.depths[place + 1] = found.depths[place]
                            then found.tags[place]
                            else chr(1)
                        end
                    ),
                    ''
                )
            )[1]
        )[1]
    )[1]
{% endmacro %}
