"""The window. `launcher` decides before Qt is imported whether one can open; `model` knows no Qt."""
