"""Map objects at run time: the people and things of a header's object events; movement, animation and effects per
tick."""
