"""Scripts as lines with links, what runs them and what they do."""
