#!/usr/bin/env bash
# Builds the source distribution and from it the wheel with the compiled kernels in MAPEXPLORER_KERNELS, installs that
# into an empty environment, and runs it from another folder as an unprivileged user with a read-only installation and no
# writable HOME. There is no numba there, so that nothing can be compiled.
set -euo pipefail

builder=${PYTHON:-python3}
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"

as_user=()
if [ "$(id -u)" -eq 0 ]; then
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi

# Root's own Python may lie where nobody else can read it; then another one of this machine has to do.
usable() {
  local program library
  program=$("$1" -c 'import sys, venv; assert sys.version_info >= (3, 11); print(sys.executable)' 2>/dev/null) || return 1
  library=$("$1" -c 'import os; print(os.__file__)')
  ${as_user[@]+"${as_user[@]}"} test -x "$(readlink -f "$program")" -a -r "$library"
}
python=
for candidate in "$builder" /usr/bin/python3 /usr/local/bin/python3 /usr/bin/python3.1[1-9] /usr/local/bin/python3.1[1-9]; do
  if command -v "$candidate" >/dev/null && usable "$candidate"; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo "wheel: no Python 3.11 or newer on this machine that an unprivileged user can run; install one for all users" >&2
  exit 1
fi

"$builder" -m build --outdir "$work/dist" . >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m venv --without-pip "$work/env"
"$builder" -m pip --python "$work/env/bin/python" install --quiet "$work"/dist/*.whl
chmod -R a-w,a+rX "$work/env"
mkdir -m 777 "$work/out"
mkdir -m 555 "$work/home"

run() {
  echo "wheel: mapexplorer $*"
  (cd "$work/out" && env -i PATH=/usr/bin:/bin HOME="$work/home" LANG=C.UTF-8 ${as_user[@]+"${as_user[@]}"} \
    "$work/env/bin/mapexplorer" "$@") >"$work/run.log" 2>&1 || { cat "$work/run.log"; exit 1; }
}
if "$work/env/bin/python" -c 'import numba' 2>/dev/null || "$work/env/bin/python" -c 'import llvmlite' 2>/dev/null; then
  echo "wheel: the wheel with compiled kernels pulls in the compiler" >&2
  exit 1
fi
run --help
run info demo
run maps demo
run show demo 2
run export demo --all -o exported
run render demo 2 -o picture.png
run verify demo
cp tests/j3d/samples/*.bmd "$work/out"
if [ -e data/page/page.js ]; then
  run export demo 4 -o town.html
fi
run convert "$work"/out/*.bmd -o converted
ls "$work"/out/exported/*.glb "$work"/out/picture.png >/dev/null
# -P: the packages in this folder are not those that are tested.
"$work/env/bin/python" -P - "$work/dist" <<'PY'
import fnmatch
import pathlib
import sys
import tarfile
import zipfile

from mapexplorer.games import GAMES

wheel = next(pathlib.Path(sys.argv[1]).glob("*.whl"))
names = zipfile.ZipFile(wheel).namelist()
assert "mapexplorer/data/demo.nds" in names, "the wheel lacks the demo world"
assert any(fnmatch.fnmatch(name, "mapexplorer/data/*/weather.json") for name in names), "the wheel lacks the tables"
assert "formats/kernel/compiled/kernels.json" in names, "the wheel lacks the compiled kernels"
made = pathlib.Path("data/page").glob("*.*")  # by `make page`
assert {f"mapexplorer/data/page/{file.name}" for file in made} <= set(names), "the wheel lacks the script of pages"
assert not any(name.startswith(("tests/", "tools/")) for name in names), "the wheel carries tests or tools"
with tarfile.open(next(pathlib.Path(sys.argv[1]).glob("*.tar.gz"))) as sources:
    parts = {name.split("/")[1] for name in sources.getnames() if "/" in name}
assert parts.isdisjoint({"tests", "tools"}), "the source distribution carries a part of the tests or tools"
assert all(game.tables.weathers for game in GAMES)
PY
echo "wheel: the installed program works for an unprivileged user from a read-only folder"
