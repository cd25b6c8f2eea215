"""The window.

`launcher` decides before Qt is imported whether one can open. `window` makes the parts and connects them:
`action_table` lists the actions and `commands` holds what they do, `docks` and `dialogs` hold panels and dialogs,
`views` the pictures, `picking`, `walk_mode` and `inspection` react to them, `jobs` runs work in threads. `model` uses
no Qt.
"""
