"""The weather of the field: the registers that it writes and the sprites that it shows, per tick.

`WeatherMachine` runs the weathers, `WeatherState` is their state after a tick, `WeatherPainter` composes it with a
picture of the 3D engine. Source: the Platinum field code.

The weather of a visit is one `timeline.WeatherTimeline`, made by the conditions; its state at a tick gives the fog of
both views and what the 2D engine composes. It is shown with the game's camera only, because its sprites and the
distance of its fog are made for that screen; for other cameras a weather that the user chose has its fog alone. The
members of a weather's pictures are read in one place (`members`): `painter` writes them to the memory of the 2D
engine, `pictures` makes images of them, which `opengl.weather` draws in the order and with the blending of the same
state.
"""
