"""The window.

`app` starts the program: `launcher` checks before Qt is imported whether a window can open. `parts` creates the parts,
`window` connects them. `actions` has the table of actions and implements them, `docks` and `dialogs` contain panels and
dialogs, `views` the pictures, `modes` react to them: walking, the map, comparison, picking, inspection. `jobs` runs
work in threads, `rendering` draws there. `model` uses no Qt. Layouts and common widgets are expressions of `widgets`.

A part knows the parts that it is created with, dialogs and commands know all of them, none knows the window. Actions
are values with callables, from which menus, toolbar, shortcuts and the palette derive. The window's thread neither
reads nor draws. What happens on a map is shown as values of the inspector: rows, lines of parts with links, facts; rows
and lines are painted by delegates, there is no widget for a row.
`Explorer.zones`, the headers since a place was entered, each with its tick, are part of a request for a frame; its
worker replays the changes of the weather at these ticks, so that all scenes of a walk have one weather.
`Explorer.feature` is the one of the present map, which walks and the panel set; a request has it, so that its states
need no new scene.
"""
