"""Map objects at run time: the people and things of a header's object events; movement, animation and effects per
tick.

Map objects are one state machine, tested against vectors for each tick. Movements and actions are generators that
yield once per tick. The state of the player is set from outside (`guided`); players only have effects.
"""
