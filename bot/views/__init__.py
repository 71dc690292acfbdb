"""Views: what one person or everybody may see of a table at one moment.

`values` are the views, `building` makes them, `snapshot` is all that one draw needs, `listing`
makes lines of lists, `planned` and `hinting` are views of a plan and of a hint.
"""
