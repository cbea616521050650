"""Where tables, guests and the logs of games are kept."""
