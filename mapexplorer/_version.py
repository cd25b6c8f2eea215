"""The version of the program: part of what decides whether an exported file is still up to date."""

__version__ = "0.1.0"
