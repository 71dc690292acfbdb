"""Computer players in processes of their own, never on the event loop.

`workers` is what tables ask: a queue, thinking time by load, the replacement of failed workers, and
a thread in place of processes.  `sources` starts workers, `process` is their main function,
`thinking` one decision in them; `cache` is the folder of compiled players.

The program's own process loads no compiler: players are imported in the workers alone, and in that
thread, which interprets them.
"""
