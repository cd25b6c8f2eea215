"""Find import cycles among the modules of formats and mapexplorer.

Every import counts: at module level, inside functions, and under TYPE_CHECKING. An import of a name from a package
counts as an import of the module of that name where there is one, else of the package. A module's own packages, which
Python imports first, do not count.

Usage: python tools/import_cycles.py [FOLDER]; exit status 1 if there is a cycle. Each cycle is printed once, as the
shortest one through its alphabetically first module.
"""

from __future__ import annotations

import ast
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGES = ("formats", "mapexplorer")

Graph = Mapping[str, set[str]]
"""Module -> the modules that it imports."""


def modules_of(root: Path) -> dict[str, Path]:
    """The modules of the packages: dotted name -> file."""
    found = {}
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports_of(name: str, file: Path, modules: Mapping[str, Path]) -> set[str]:
    """The modules that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
                parts = package[: len(package) - node.level + 1]
                base = ".".join([*parts, base] if base else parts)
            for alias in node.names:
                member = f"{base}.{alias.name}"
                found.add(member if member in modules else base)
    return {other for other in found if other in modules and other != name}


def groups(graph: Graph) -> Iterator[set[str]]:
    """The strongly connected components of more than one module (Tarjan's algorithm)."""
    numbers: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(node: str) -> Iterator[set[str]]:
        numbers[node] = low[node] = len(numbers)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in numbers:
                yield from visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], numbers[other])
        if low[node] == numbers[node]:
            start = stack.index(node)
            group = set(stack[start:])
            del stack[start:]
            if len(group) > 1:
                yield group

    for node in sorted(graph):
        if node not in numbers:
            yield from visit(node)


def shortest_cycle(graph: Graph, group: set[str]) -> list[str]:
    """The shortest cycle through the first module of a group; the first module is repeated at the end."""
    first = min(group)
    before: dict[str, str] = {}
    queue = deque([first])
    while queue:
        node = queue.popleft()
        for other in sorted(graph[node] & group):
            if other == first:
                path = [first, node] if node != first else [first]
                while path[-1] != first:
                    path.append(before[path[-1]])
                return path[::-1]
            if other not in before:
                before[other] = node
                queue.append(other)
    raise AssertionError("a strongly connected component has a cycle through each of its modules")


def cycles(root: Path) -> list[list[str]]:
    """The cycles below a folder. While there is one, its last import is removed and the search continues."""
    modules = modules_of(root)
    graph = {name: imports_of(name, file, modules) for name, file in modules.items()}
    found = []
    while group := next(groups(graph), None):
        cycle = shortest_cycle(graph, group)
        found.append(cycle)
        graph[cycle[-2]].discard(cycle[-1])
    return sorted(found)


def main(arguments: list[str]) -> int:
    """Print the cycles; the result is the exit status."""
    found = cycles(Path(arguments[0] if arguments else "."))
    for cycle in found:
        print(" -> ".join(cycle))
    print(f"{len(found)} import cycles", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
