"""The bot's messages on Discord: boards, hands and calls; sending, editing, healing, deleting.

`publisher` draws a table, `planned` one that opens later, each at a `desk`; `draw_tasks` say when.
`boards` are messages in channels, `hands` direct messages with a hand, `whispers` hands in a
channel, `calls` the order in which people are called, `lines` offers of a seat.  `outbox` sends,
says what a refusal means, and finds messages again after a crash; `messages` remembers what was
sent.  `healing` tells of lost boards, `settling` removes buttons that are out of date, `tidying`
deletes.  Every call to Discord goes through `requests` and `budget`; `picture_cache` draws pictures
in a thread.
"""
