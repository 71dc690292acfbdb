"""What there is to see of a table, built from the table as it stands at one moment.

`values` are the views, `building` makes them, `snapshot` is all that one draw needs, `listing`
makes lines of lists, `planned` and `hinting` are views of a plan and of a hint.
"""
