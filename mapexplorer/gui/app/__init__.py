"""Starting and ending: checks before a window opens, Qt, messages, interruption, kernels that are compiled."""
