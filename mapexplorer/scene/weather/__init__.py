"""The weather of the field: what it writes to the registers and which sprites it shows, tick by tick.

`WeatherMachine` runs the weathers, `WeatherState` is what they show after a tick, `WeatherPainter` composes it with a
picture of the 3D engine. Source: the Platinum field code.
"""
