"""The ground: terrain attributes of tiles, height plates, the surface of terrain models, and what refuses a step."""
