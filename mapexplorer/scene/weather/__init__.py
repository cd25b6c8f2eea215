"""The weather of the field: the registers that it writes and the sprites that it shows, per tick.

`WeatherMachine` runs the weathers, `WeatherState` is their state after a tick, `WeatherPainter` composes it with a
picture of the 3D engine. Source: the Platinum field code.
"""
