"""Pictures of cards and hands, drawn by our own code: layouts in, pictures out.

`hand` and `board` make whole pictures, `chart` and `leaders` those of results.  `scene` reads a
layout, `felt` says where things lie and makes the file, `tiles` draws what lies there and keeps
it.  `faces` draws the cards of each game in the colours of `decks`, with the shapes of
`suits` and `figures`; `pen` draws shapes and text.

Nothing here knows Discord, tables or words.  Importing it imports Pillow.
"""
