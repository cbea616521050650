"""Pickomino in a terminal: the plain-text game, and the words it uses."""
