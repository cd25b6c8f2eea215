# The steps of check-bare, each on a fresh bare system. Sourced by bare.sh; a step fails with its first failing command.

# readme USER COMMAND [BEFORE]: runs a command of $PAGES, word for word, in the project's folder.
readme() {
  (cd "$WORK" && grep -qF -- "$2" $PAGES) || { echo "none of $PAGES says: $2"; return 1; }
  as "$1" "cd project && ${3:+$3 && }$2"
}

# demo USER: `make demo` succeeds and writes what it promises.
demo() {
  readme "$1" "make demo"
  as "$1" "cd project/demo-out && ls *.png *.glb >/dev/null"
}

# refused USER COMMAND TEXT...: a command of README fails, and says every TEXT.
refused() {
  local user=$1 command=$2 text output=$WORK/output
  shift 2
  if readme "$user" "$command" 2>&1 | tee "$output"; then
    echo "\`$command\` succeeded, but should have failed"
    return 1
  fi
  for text in "$@"; do
    grep -qF -- "$text" "$output" || { echo "\`$command\` did not say: $text"; return 1; }
  done
}

step_root-demo() {
  fresh python3-venv
  demo root
}

step_root-test() {
  fresh python3-venv
  readme root "make test"
}

# A user without sudo: everything that needs no administrator.
step_user() {
  fresh python3-venv
  demo "$TESTER"
  refused "$TESTER" "make test" "libglib2.0-0" "An administrator can install them:" "make test NO_GL=1"
  as "$TESTER" "cd project && make test NO_GL=1"
}

# The first try comes before python3-venv.
step_venv() {
  local user
  fresh
  for user in root "$TESTER"; do
    refused "$user" "make demo" python3-venv
    refused "$user" "make test" python3-venv
  done
  install python3-venv
  demo "$TESTER"
  demo root
  readme root "make test"
}

# The lines for plain pip, by a user without sudo.
step_pip() {
  fresh python3-venv
  readme "$TESTER" "python3 -m venv env"
  readme "$TESTER" "env/bin/pip install ."
  readme "$TESTER" "env/bin/mapexplorer demo"
  readme "$TESTER" 'pip install -e ".[test]" && python -m pytest -m "not slow and not gl"' ". env/bin/activate"
}

# The wheel as users install it: a first start with nothing compiled on this machine before.
step_wheel() {
  local kept=true demo caches="rm -rf .cache .config"
  mkdir "$WORK/source" "$WORK/wheel"
  tar -C "$WORK/source" -xf "$CONTENT"
  "${PYTHON:-python3}" -m build --wheel --outdir "$WORK/wheel" "$WORK/source" >"$WORK/build" 2>&1 || { cat "$WORK/build"; return 1; }

  fresh python3-venv
  cp "$WORK"/wheel/*.whl "$root/home/$TESTER"
  as "$TESTER" "python3 -m venv env && env/bin/pip install --quiet ./*.whl && env/bin/pip check"
  # Without numba nothing can be compiled: what runs was compiled before.
  as "$TESTER" "! ls env/lib/python3*/site-packages | grep -E '^(numba|llvmlite)'"
  report "installed size: $(du -sm "$root/home/$TESTER/env" | cut -f1) MB"
  timed "render of a first start" 3 "$caches; env/bin/mapexplorer render demo T01 -o x.png"
  as "$TESTER" "test -s x.png"

  as root "bash project/tests/install/system_packages.sh"
  as "$TESTER" "$caches; xvfb-run -a env/bin/mapexplorer doctor"
  cp "$HERE/bare/first_picture.py" "$root/home/$TESTER"
  demo=$(cd "$root/home/$TESTER" && ls env/lib/python3*/site-packages/mapexplorer/data/demo.nds)
  as "$TESTER" "$caches; xvfb-run -a -s '-screen 0 1280x1024x24' env/bin/python first_picture.py env/bin/mapexplorer $demo >picture"
  within "first picture of the window" 4 "$(cat "$root/home/$TESTER/picture")"
  report "load of the host while measuring: $(cut -d' ' -f1 /proc/loadavg) on $(nproc) cores"
  $kept
}
