"""From views to Discord's components and words.  Pure: no I/O, and no state.

`channel` is the table's message, as a lobby; `board` is it in the running match, `ended` as the
result; `hand` is a person's hand with its buttons.  `blocks` and `tricks` write a layout as text,
`alt_text` a picture in words.  `custom_ids` are the meanings of
presses; `components` are the parts of every message, `message` is a whole one.  `results` are
results, `pages` pages to look up (rules, log, details), `seats` names and scores, `offers` seats
that are offered, `sharing` what shows an answer to everybody.  The others each render one thing
that people ask for.
"""
