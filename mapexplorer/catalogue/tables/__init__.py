"""The rows of the tables of facts, one module for each subject."""
