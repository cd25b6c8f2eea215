"""Map headers: their records, names and numbers, and the rules that find those that the game does not use."""
