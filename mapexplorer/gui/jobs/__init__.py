"""The worker threads of the window, their jobs, and the control of the garbage collector."""
