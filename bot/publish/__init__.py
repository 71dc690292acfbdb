"""The bot's messages on Discord: boards, hands and calls; sending, editing, healing, deleting.

`publisher` draws a table, `planned` one that opens later, each at a `desk`, which also deletes;
`draw_tasks` say when. `boards` are messages in channels, `hands` are private ones, with the order
in which people are called and the removal of buttons that are out of date; `lines` are offers of a
seat, and results.  `outbox` sends, says what a refusal means, and finds messages again after a
crash; `messages` remembers what was sent, also hands in channels.  `healing` tells of lost boards.
Every call to Discord goes through `requests`, within its limits; `picture_cache` draws pictures in
a thread.
"""
