"""The machine that the program runs on: interrupts, worker processes, checks of the installation.

The signal handler of an interrupt ends the process with one line and status 130; code that needs an orderly end runs
in a `Deferred` block, and unfinished files are removed with `cleaning`.
"""
