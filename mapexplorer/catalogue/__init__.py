"""Every thing of a ROM and every use of one thing by another, in one store: a SQLite file for each ROM.

`kinds` is the only list of kinds, `things` the names, `edges` the uses, `tables` the facts that queries in SQL ask.
`store` makes and opens the file; `search` and `uses` ask it, `resolve` says what a text that a user typed means. A use
is a pair of subjects, never a text. Rows of things and edges carry the file and member that they were read from.

Verbs, panels, the palette and the API ask the store, and an answer names what was asked. What only the field data tell
is answered without it (`store.reference_store`).
"""
