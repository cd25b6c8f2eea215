"""`python -m mapexplorer` and the console script `mapexplorer`."""

_ALLOCATIONS = 200_000
"""Allocations between two runs of Python's garbage collector: imports and readers make many objects that stay."""


def main() -> None:
    """Run the command line and end the process; an interrupt ends it with one line and status 130 at any moment."""
    # `signal` itself imports more, and an interrupt meanwhile would print a traceback.
    import _signal  # type: ignore[import-not-found]

    if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _end)
    import gc
    import os

    gc.set_threshold(_ALLOCATIONS)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads that nothing here uses
    from mapexplorer.system import interrupt

    interrupt.install()
    from mapexplorer.cli import main as run

    try:
        run()
    finally:
        interrupt.ignore()
        gc.freeze()  # else it would go through all objects once more


def _end(*_: object) -> None:
    import os

    os.write(2, b"Interrupted.\n")
    os._exit(130)


if __name__ == "__main__":
    main()
