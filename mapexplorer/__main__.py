"""`python -m mapexplorer` and the console script `mapexplorer`."""

from mapexplorer.cli import main

if __name__ == "__main__":
    main()
