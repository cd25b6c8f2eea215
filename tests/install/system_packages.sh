#!/usr/bin/env bash
# The system packages that the tests need beside Python: looks what is missing; as root or with password-less sudo
# installs it, otherwise prints the one line to run and stops.
set -u

missing=()
need() { # need PACKAGE COMMAND...: PACKAGE is missing when COMMAND fails
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
library() { ldconfig -p 2>/dev/null | grep -q "$1" || find /usr/lib /usr/lib64 -name "$1*" -print -quit 2>/dev/null | grep -q .; }

need nodejs command -v node
need npm command -v npm
if [ -z "${NO_GL:-}" ]; then
  need xvfb command -v xvfb-run
  need xauth command -v xauth
  need libgl1 library libGL.so.1
  need libegl1 library libEGL.so.1
  need libgl1-mesa-dri library swrast_dri.so
  need libxkbcommon-x11-0 library libxkbcommon-x11.so.0
  need libdbus-1-3 library libdbus-1.so.3
  need libfontconfig1 library libfontconfig.so.1
  need fonts-dejavu-core test -d /usr/share/fonts/truetype/dejavu
  for name in icccm4:icccm image0:image keysyms1:keysyms randr0:randr render-util0:render-util shape0:shape xinerama0:xinerama xkb1:xkb; do
    need "libxcb-${name%%:*}" library "libxcb-${name##*:}.so"
  done
fi
[ ${#missing[@]} -eq 0 ] && exit 0

line="apt-get install -y --no-install-recommends ${missing[*]}"
if ! command -v apt-get >/dev/null 2>&1; then
  echo "These Debian packages, or what your system calls them, are missing: ${missing[*]} (or run: make test NO_GL=1)" >&2
  exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive $line -qq
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive $line -qq
else
  echo "sudo $line" >&2
  exit 1
fi
