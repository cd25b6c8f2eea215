"""Map objects at run time: people and things of a header's events, how they stand, move and look, tick by tick."""
