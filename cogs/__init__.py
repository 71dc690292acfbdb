"""What Discord users can say: slash commands, buttons, menus.  No rules, no SQL.

Modules with a leading underscore are shared parts; each other module is one cog.
"""
