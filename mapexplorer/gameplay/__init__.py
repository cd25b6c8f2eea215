"""What happens on a map."""
