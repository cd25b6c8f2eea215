"""Windows that open for one purpose."""
