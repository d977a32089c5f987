"""The floor: read the lines of captures into a table, strip, hash and number them, and no more.

python tests/benchmarks/floor.py CAPTURES DATABASE
"""

import sys

import duckdb

READ = """
    create table lines as
    select *
    from read_csv(
        ?, columns = {'line': 'varchar'}, delim = chr(1), quote = '', escape = '',
        header = false, auto_detect = false
    )
"""
RANK = r"""
    create table ranked as
    with hashes as (
        select
            sha256(regexp_replace(line, '^\[hm [^\]]*\]\s*', '')) as hash,
            row_number() over () as position
        from lines
    )
    select hash, position, row_number() over (partition by hash order by position) as sighting
    from hashes
"""


def main() -> None:
    captures, database = sys.argv[1:]
    connection = duckdb.connect(database)
    connection.execute(READ, [f"{captures}/*/*.jsonl"])
    connection.execute(RANK)
    connection.close()


if __name__ == "__main__":
    main()
