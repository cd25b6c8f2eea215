"""The files that the project carries: constant tables and the demo world."""
