#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment, and runs it from another folder as an unprivileged user with
# a read-only installation and no writable HOME.
set -euo pipefail

python=$(readlink -f "$(dirname "${PYTHON:-python3}")")/$(basename "${PYTHON:-python3}")
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"

"$python" -m build --wheel --outdir "$work/dist" . >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$python" -m venv "$work/env"
"$work/env/bin/python" -m pip install --quiet "$work"/dist/*.whl
chmod -R a-w,a+rX "$work/env"
mkdir -m 777 "$work/out"
mkdir -m 555 "$work/home"

as_user=()
if [ "$(id -u)" -eq 0 ]; then
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
run() {
  echo "wheel: mapexplorer $*"
  (cd "$work/out" && env -i PATH=/usr/bin:/bin HOME="$work/home" LANG=C.UTF-8 "${as_user[@]}" "$work/env/bin/mapexplorer" "$@") >"$work/run.log" 2>&1 \
    || { cat "$work/run.log"; exit 1; }
}
run --help
run info demo
run maps demo
run export demo --all -o exported
run verify demo
ls "$work"/out/exported/*.glb >/dev/null
"$work/env/bin/python" - "$work/dist" <<'PY'
import sys, zipfile, pathlib
wheel = next(pathlib.Path(sys.argv[1]).glob("*.whl"))
names = zipfile.ZipFile(wheel).namelist()
assert "mapexplorer/data/demo.nds" in names, "the wheel lacks the demo world"
assert not any(name.startswith("tests/") for name in names), "the wheel carries tests"
PY
echo "wheel: the installed program works from a read-only folder"
