"""Computer players in processes of their own, never on the event loop.

`workers` is what the tables ask: a queue, budgets by load, and what happens when a worker fails.
`sources` starts workers, `process` is what runs in them, `thinking` what they do there; `cache` is
where compiled players are kept, `in_thread` a thread for whoever wants no processes.

This process loads no compiler: players are imported in the workers alone, and by `in_thread`
as they are interpreted.
"""
