"""Pictures that workers draw: places, tiles of the map, models, lists; and data for OpenGL."""
