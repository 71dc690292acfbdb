"""From views to Discord's components and words.  Pure: no I/O, and no state.

`channel` is the table's message as lobby and result, `board` the running match, `hand` what one
person sees and presses.  `blocks` and `tricks` write a layout as text, `acts` an action as a
button, `alt_text` a picture in words.  `custom_ids` says what a press means; `components` are the
parts of every message, `message` is what is sent.  `results` are results, `pages` what is looked up
(rules, leaderboard, log, questions), `seats` who sits there. The others each render one thing that
people ask for.
"""
