with
    projected as (select * from {{ ref("int_histories_projected") }}),

    told as ({{ memory_git_items("projected", "changesets", "changeset") }})

select
    changeset.changeset_id as changeset_id,
    project_name,
    changeset.ref_name as ref_name,
    changeset.parent_ids as parent_ids,
    coalesce(changeset.is_legacy_root, false) as is_legacy_root,
    changeset.author_principal as author_principal,
    nullif(changeset.actor_id, '') as actor_id,
    nullif({{ redact_secrets("changeset.message") }}, '') as message,
    changeset.created_at as committed_at,
    changeset.history_position as history_position,
    changeset.history_position is not null as is_accepted,
    changeset.problems as problems
from told
