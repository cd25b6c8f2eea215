"""Prop and terrain models: the textures that they find and the animations that they play."""
