"""The source tree of a decompilation, not built, as the files of a ROM: each member is made of its source when it is
asked for. Nothing of the tree is executed.

This package knows the grammars of the tree; bytes are written by the values of `formats`. Which files there are, their
numbers and names are read from the tree."""
