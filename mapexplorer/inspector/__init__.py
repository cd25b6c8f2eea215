"""The facts about every kind of thing as values with their sources, and the text and JSON that are made from them."""
