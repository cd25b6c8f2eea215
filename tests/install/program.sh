#!/usr/bin/env bash
# Tries the packed program, dist/mapexplorer, on a bare machine: a minimal Debian without Python in a chroot.
# STEPS chooses some of: commands window. PYTHON has Pillow and numpy, to look at the screen. RELEASE is as for bare.sh.
# Needs root, debootstrap and the network. The log of every step and a picture of the window are kept until the next run,
# in mapexplorer-bare in the cache folder.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
NAME=check-program
ALL_STEPS="commands window"
PACKAGES=
DIST=$HERE/../../dist
. "$HERE/bare/run.sh"

PROGRAM=project/mapexplorer/mapexplorer
# What the window needs of the system, and fonts; the other libraries are in the program.
NEEDED="libgl1 libegl1 libgl1-mesa-dri libfontconfig1 libfreetype6 libdbus-1-3 libglib2.0-0 libx11-6 libx11-xcb1 libxext6
  libxcb-glx0 libxcb-randr0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 fonts-dejavu-core"

# says TEXT COMMAND: the tester's command prints one line on standard error, which holds TEXT, and has status 1.
says() {
  local status=0
  as "$TESTER" "$2 2>said" || status=$?
  cat "$root/home/$TESTER/said"
  [ "$status" -eq 1 ] || { echo "status $status, not 1"; return 1; }
  [ "$(wc -l <"$root/home/$TESTER/said")" -eq 1 ] || { echo "not one line"; return 1; }
  grep -qF -- "$1" "$root/home/$TESTER/said" || { echo "it does not say: $1"; return 1; }
}

# The newest version of glibc that a file of the program asks for.
glibc() {
  find "$DIST/mapexplorer" -type f \( -name '*.so*' -o -name mapexplorer \) -exec objdump -T {} + 2>/dev/null |
    grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1
}

# Everything that needs no window, with nothing installed. The program's folder cannot be written. The limits of time are
# wide, because other work on this machine counts.
step_commands() {
  local kept=true
  fresh
  if as "$TESTER" "command -v python python3 || ls -d /usr/lib/python* /usr/lib/*/libpython*"; then
    echo "there is a Python"
    return 1
  fi
  chroot "$root" chown -R root:root "/home/$TESTER/project"
  report "$(du -sm --apparent-size "$DIST/mapexplorer" | cut -f1) MB, $(glibc)"
  timed "--help of a first start" 3 "$PROGRAM --help >/dev/null"
  timed "--help" 3 "$PROGRAM --help >/dev/null"
  timed "render" 5 "$PROGRAM render demo T01 -o x.png"
  timed "export by two processes" 30 "$PROGRAM export demo --all -o maps --jobs 2"
  timed "poster" 30 "$PROGRAM poster demo 0 -o poster.png"
  timed "verify" 30 "$PROGRAM verify demo"
  as "$TESTER" "test -s x.png && test -s poster.png && test \$(ls maps/*.glb | wc -l) -eq 8"
  as "$TESTER" "$PROGRAM doctor | tee found && grep -E '^ok +kernels +compiled' found"
  says "there is no display" "$PROGRAM"
  says "apt-get install" "DISPLAY=:0 $PROGRAM"
  says "apt-get install" "$PROGRAM render demo T01 -o y.png --engine gl"
  # Its child processes load the program's libraries, other programs do not.
  as "$TESTER" "$PROGRAM -c 'import os; os.system(\"env\")' >variables; ! grep -E 'LD_LIBRARY|QT_PLUGIN' variables"
  as "$TESTER" "$PROGRAM -c 'import subprocess, sys; subprocess.run([sys.executable, *sys.argv], check=True)' \
    'import _hashlib; assert \"_internal/libcrypto\" in open(\"/proc/self/maps\").read()'"
  report "load of the host while measuring: $(cut -d' ' -f1 /proc/loadavg) on $(nproc) cores"
  $kept
}

# The window on a display without a monitor, looked at from outside through the display's socket.
step_window() {
  local kept=true demo display patience=100 screen=$LOGS/window.png
  # shellcheck disable=SC2086
  fresh xvfb $NEEDED
  home=$root/home/$TESTER
  mkdir -m 1777 "$root/tmp/.X11-unix"
  trap 'touch "$home/stop"; wait' EXIT
  as "$TESTER" "{ Xvfb -displayfd 1 -screen 0 1280x1024x24 -nolisten tcp -ac >display & } && until [ -e stop ]; do sleep 0.1; done" &
  until [ -s "$home/display" ]; do
    [ "$((patience -= 1))" -gt 0 ] || { echo "the display does not start"; return 1; }
    sleep 0.1
  done
  display=$(cat "$home/display")
  demo=$(cd "$home" && find project -name demo.nds | head -n 1)
  as "$TESTER" "export DISPLAY=:$display; $PROGRAM doctor | tee found && grep -F ' 0 warnings, 0 failures.' found"
  as "$TESTER" "$PROGRAM render demo T01 -o y.png --engine gl && test -s y.png"
  DISPLAY=$root/tmp/.X11-unix/X$display "${PYTHON:-python3}" "$HERE/bare/first_picture.py" --keep "$screen" \
    "${PRIVATE[@]}" bash "$HERE/bare/enter.sh" "$root" "$TESTER" "DISPLAY=:$display $PROGRAM $demo" "${carried[@]}" >"$WORK/seconds"
  within "first picture of the window" 15 "$(cat "$WORK/seconds")"
  report "picture of the window: $screen"
  report "load of the host while measuring: $(cut -d' ' -f1 /proc/loadavg) on $(nproc) cores"
  $kept
}

[ -x "$DIST/mapexplorer/mapexplorer" ] || stop "there is no program in dist/mapexplorer; make program"
tar -C "$DIST" -cf "$CONTENT" mapexplorer
run_steps "$(du -sm --apparent-size "$DIST/mapexplorer" | cut -f1) MB in dist/mapexplorer"
