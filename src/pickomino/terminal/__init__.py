"""Pickomino in a terminal: the plain-text game, and the words that it is told in."""
