"""Widgets that several panels and dialogs use, their layout, icons and colours."""
