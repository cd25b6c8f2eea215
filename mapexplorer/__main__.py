"""`python -m mapexplorer` and the console script `mapexplorer`."""


def main() -> None:
    """Run the command line and end the process; an interrupt ends it with one line and status 130 at any moment."""
    # `signal` itself imports more, and an interrupt meanwhile would print a traceback.
    import _signal  # type: ignore[import-not-found]

    if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _end)
    import os

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads that nothing here uses
    from mapexplorer.system import interrupt

    interrupt.install()
    from mapexplorer.cli import main as run

    try:
        run()
    finally:
        interrupt.ignore()


def _end(*_: object) -> None:
    import os

    os.write(2, b"Interrupted.\n")
    os._exit(130)


if __name__ == "__main__":
    main()
