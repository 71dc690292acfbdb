"""From views to components and words.  Pure: nothing here asks anybody for anything."""
