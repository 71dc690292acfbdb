"""Pictures of cards and hands, drawn by our own code: layouts in, pictures out.

`hand` and `board` make whole pictures, `chart` and `leaders` those of results.  `reading` and
`scene` read a layout, `spots` says where things lie, `tiles` draws what lies there and keeps
it. `faces` says who draws a card: `two_number_cards`, `coloured_cards` or `swiss_cards`, in the
colours of `decks`, with the shapes of `colour_shapes`, `swiss_suits`, `german_french_suits` and
`figures`.  `pen` draws shapes and text, `palette` and `png` make files small.

Nothing here knows Discord, tables or words.  Importing it imports Pillow.
"""
