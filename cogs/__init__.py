"""Commands, buttons and menus of Discord users.  No rules, no SQL.

Each module is a subject: one cog or two, groups of commands with their buttons.  `presses` receives
every press and finds the cog that answers it.
"""
