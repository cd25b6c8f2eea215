"""The machine that the program runs on: interrupts, worker processes, checks of the installation."""
