"""The bot's messages on Discord: boards, hands and calls; sending, editing, healing, deleting.

`publisher` draws a table, `workers` say when.  `boards` is the message in the channel, `hands` and
`calls` are direct messages and lines that call somebody, `whispers` hands in a channel, `lines`
offers of a seat, `planned` tables that open later.  `announced` finds messages
again after a crash, `healing` posts lost boards anew, `settling` takes buttons away that are out
of date, `tidying` deletes.  Every call goes through `requests` and `budget`; `easel` draws
pictures in threads.
"""
