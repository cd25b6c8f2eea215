"""The Distortion World: floors in one space, platforms on walls and ceilings, and what moves there. Values and rules,
no drawing; `mapexplorer.walk.distortion_player` walks in it.

Source: the Platinum field code (overlay 9) and the vectors of its run-time parts. Tiles are those of the space of all
floors: x east, y up (16 units a tile), z south. Positions are fx32 units.

Floors have a common space. Pictures, ticks and tiles are those of the map of one floor, as everywhere; the feature
subtracts the offset, and draws the floor below at the difference of both.
"""
