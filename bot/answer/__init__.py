"""One interaction, from its arrival to its answer: in words, once, within three seconds.

It comes in through `arrivals`; `sight` finds the table that is meant and `access` decides who may
know and touch it; `reply` answers, through `delivery`; `telling` does so after a commit and then
tells everybody else; `refusals` are refusals in words.  The others are answers that several cogs
share, such as `panels` (one's own hand), `inviting`, `listing` and `planning`.
"""
