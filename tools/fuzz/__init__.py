"""Reads, edits, writes and shows damaged files of every format, and tells what went wrong: `python -m tools.fuzz`.

A case is a number under a seed, and always the same: a file of `seeds`, changed in its bytes or in its values
(`mutation`), then taken through everything that the program does with such a file (`uses`), or a whole image or folder
(`images`). `worker` runs cases in a process of its own, the main module restarts it when it dies or hangs, `findings`
reduces and keeps what was found. `corpus.jsonl` holds the files that were once found, which `make test` runs.
"""
