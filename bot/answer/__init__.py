"""One interaction, from its arrival to its answer: in words, once, within three seconds."""
