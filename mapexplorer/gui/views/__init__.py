"""The pictures in the middle of the window and what is drawn over them."""
