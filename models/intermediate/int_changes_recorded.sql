with
    changes as (select change_id from {{ ref("int_changes_unioned") }}),

    unrecorded as (
        select change_id
        from changes
        {% if is_incremental() %}
            where change_id not in (select change_id from {{ this }})
        {% endif %}
    )

select change_id, {{ build_started_at() }} as recorded_at
from unrecorded
