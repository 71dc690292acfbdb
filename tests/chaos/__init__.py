"""The chaos suite: many tables over the wire while everything goes wrong; then what must hold.

    python -m tests.chaos --seed 7 --matches 300 --kills 200 --faults 5000
    python -m tests.chaos --short
    python -m tests.chaos --seeds 1-10 --json runs.jsonl      (again: goes on where it stopped)
    python -m tests.chaos --sum runs.jsonl
    .ci/postgres python -m tests.chaos --each --seed 7 --postgres

With a PostgreSQL server at hand (`.ci/postgres`) every tenth of many seeds runs on that: the
program reaches its database through a proxy that cuts, delays and swallows, the judge directly.
Copies are made and put back on SQLite only.

The seed repeats who opens what, who presses what and which faults are drawn; which of them
meet in time is up to the machine.  The last line of the output is JSON.
"""
