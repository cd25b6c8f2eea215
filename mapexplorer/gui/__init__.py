"""The window.

`launcher` checks before Qt is imported whether a window can open. `window` creates the parts and connects them:
`action_table` lists the actions, `commands` implements them, `docks` and `dialogs` contain panels and dialogs, `views`
the pictures, `picking`, `walk_mode` and `inspection` react to them, `jobs` runs work in threads. `model` uses no Qt.
"""
