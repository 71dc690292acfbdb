"""Computer players in processes of their own, never on the event loop.

`workers` is what tables ask: a queue, thinking time by load, and the replacement of failed workers.
`sources` starts workers, `process` is their main function, `thinking` one decision in them; `cache`
is the folder of compiled players, `in_thread` a thread in place of processes.

The program's own process loads no compiler: players are imported in the workers alone, and by
`in_thread`, which interprets them.
"""
