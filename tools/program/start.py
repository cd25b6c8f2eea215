"""The script that the packed program runs: the command line, and an interpreter for its own child processes."""

import multiprocessing
import os
import sys


def main() -> None:
    """Run what the arguments say."""
    multiprocessing.freeze_support()  # does not return in a worker process
    leave_other_programs_alone()
    if sys.argv[1:2] == ["-c"]:  # `sys.executable` is this program
        code, sys.argv[:] = sys.argv[2], ["-c", *sys.argv[3:]]
        exec(code, {"__name__": "__main__"})
        return
    from mapexplorer.__main__ import main as run

    run()


def leave_other_programs_alone() -> None:
    """Give programs that this one opens the environment that it was started with: its libraries are not theirs."""
    for name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH"):  # PyQt5 finds its plugins without them
        os.environ.pop(name, None)
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = os.environ.pop(f"{name}_ORIG", None)
        if before is not None:
            os.environ[name] = before
        elif sys.platform.startswith("linux"):
            os.environ.pop(name, None)


if __name__ == "__main__":
    main()
