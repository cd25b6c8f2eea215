"""The script that the packed program runs: the command line, and an interpreter for its own child processes."""

import multiprocessing
import os
import sys


def main() -> None:
    """Run the command line, or Python code given with -c."""
    leave_other_programs_alone()
    multiprocessing.freeze_support()  # does not return in a worker process
    if sys.argv[1:2] == ["-c"]:  # `sys.executable` is this program
        code, sys.argv[:] = sys.argv[2], ["-c", *sys.argv[3:]]
        exec(code, {"__name__": "__main__"})
        return
    from mapexplorer.__main__ import main as run

    run()


def leave_other_programs_alone() -> None:
    """Restore the original environment for other programs that this one starts, which must not use its libraries."""
    for name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH"):  # PyQt5 finds its plugins without them
        os.environ.pop(name, None)
    if sys.platform.startswith("linux"):
        os.environ.pop("LD_LIBRARY_PATH", None)
        if "LD_LIBRARY_PATH_ORIG" in os.environ:
            os.environ["LD_LIBRARY_PATH"] = os.environ.pop("LD_LIBRARY_PATH_ORIG")
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"  # a child process of this program sets its own up again


if __name__ == "__main__":
    main()
