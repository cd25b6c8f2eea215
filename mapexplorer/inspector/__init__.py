"""The facts about things of all kinds as values with their sources, and their text and JSON."""
