{#
    A path with forward slashes without its `.` and `..`, which are looked for first: nearly no
    path has one. What is longer than any system's paths stays as it is: the parts are joined one
    by one, which a million of them would make endless.
#}
{% macro resolved_path(path) %}
    case
        when
            regexp_matches({{ path }}, '(^|/)\.\.?(/|$)')
            and length({{ path }}) <= 32767
        then
            array_to_string(
                list_reduce(
                    list_transform(
                        string_split(regexp_replace({{ path }}, '^(?:\./)+', ''), '/'),
                        lambda part:[part]
                    ),
                    lambda parts,
                    part: case
                        when part[1] = '.'
                        then parts
                        when part[1] <> '..' or len(parts) = 0 or parts[-1] = '..'
                        then list_append(parts, part[1])
                        when parts = ['']
                        then parts
                        else list_slice(parts, 1, len(parts) - 1)
                    end
                ),
                '/'
            )
        else {{ path }}
    end
{% endmacro %}
