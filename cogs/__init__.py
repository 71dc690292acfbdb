"""Commands, buttons and menus of Discord users.  No rules, no SQL.

Each module is one cog: a group of commands with their buttons.  `presses` receives every press and
finds the cog that answers it.
"""
