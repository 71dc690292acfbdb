"""Pictures of cards and hands, drawn by our own code: layouts in, pictures out.

Nothing here knows Discord, tables or words.  Loading this room loads Pillow.
"""
