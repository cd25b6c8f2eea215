"""Two ROMs compared: what is different, as values. Start reading at `comparison.py`."""
