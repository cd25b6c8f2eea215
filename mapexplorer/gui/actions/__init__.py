"""The actions of the window: their table, their implementations, and the menus made from them."""
