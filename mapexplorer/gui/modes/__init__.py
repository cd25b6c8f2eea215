"""What the window does with a map: walking, the map of a matrix, comparison, picking, routes, inspection."""
