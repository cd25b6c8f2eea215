"""Worker threads of the window, what is asked of them, and when the garbage collector runs beside them."""
