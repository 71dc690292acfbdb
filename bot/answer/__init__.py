"""One interaction, from its arrival to its answer: in words, once, within three seconds.

`cogs.presses` takes it up; `sight` finds the table that is meant and `access` decides who may see
and touch it; `reply` answers, through `delivery`; `telling` answers after a commit and then tells
everybody else; `refusals` are refusals in words.  The other modules are answers that several cogs
share, such as `panels` (one's own hand), `inviting` and `planning`.
"""
