"""The machine that the program runs on: interrupts, worker processes, what is installed and what is missing."""
