#!/usr/bin/env bash
# Installs the packages of system_packages.list that are missing: as root, or with sudo that asks for no password.
# Where it cannot, it says what is missing, what an administrator has to run and what works without them, and fails.
# With NO_GL nothing is needed. The glTF validator's packages alone stop nothing, unless MAPEXPLORER_REQUIRE=1; without
# that a browser is not asked for.
set -u

[ -n "${NO_GL:-}" ] && exit 0

libraries=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null)

present() { # present CHECK NAME...
  local pattern
  case $1 in
    command) command -v "$2" >/dev/null ;;
    library) [[ $libraries == *[[:space:]]"$2 ("* ]] ;;
    file)
      for pattern in "${@:2}"; do
        compgen -G "$pattern" >/dev/null && return
      done
      return 1
      ;;
  esac
}

declare -A missing=([qt]="" [display]="" [validator]="" [browser]="")
while read -ra fields; do
  case ${fields[0]-} in "" | "#"*) continue ;; esac
  package=${fields[0]} purpose=${fields[1]}
  [ "$purpose" = browser ] && [ "${MAPEXPLORER_REQUIRE:-}" != 1 ] && continue
  if ! present "${fields[@]:2}" && [[ " ${missing[$purpose]} " != *" $package "* ]]; then
    missing[$purpose]+="${missing[$purpose]:+ }$package"
  fi
done <"${BASH_SOURCE[0]%/*}/system_packages.list"

needed="${missing[qt]} ${missing[display]}"
read -ra packages <<<"$needed ${missing[validator]} ${missing[browser]}"
[ ${#packages[@]} -eq 0 ] && exit 0
install="apt-get install -y --no-install-recommends ${packages[*]}"

stop() { # stop REASON: the paragraph; with the validator's packages alone missing, only a note
  if [ -z "${needed// /}" ] && [ "${MAPEXPLORER_REQUIRE:-}" != 1 ]; then
    echo "Not tested: the glTF files with the Khronos validator, which needs ${missing[validator]// / and }." >&2
    exit 0
  fi
  {
    echo
    {
      echo -n "The tests of the window need packages that this machine lacks:"
      [ -n "${missing[qt]}" ] && echo -n " for Qt and OpenGL ${missing[qt]// /, };"
      [ -n "${missing[display]}" ] && echo -n " for a display without a monitor ${missing[display]// /, };"
      [ -n "${missing[validator]}" ] && echo -n " for checking glTF files ${missing[validator]// /, };"
      [ -n "${missing[browser]}" ] && echo -n " for pages of maps ${missing[browser]// /, };"
      echo " $1. An administrator can install them:"
    } | fold -s -w 110
    echo
    echo "    apt-get update && $install"
    echo
    echo "Without them \`make demo\` works, and \`make test NO_GL=1\` runs the tests that do not need them."
  } >&2
  exit 1
}

privileged=()
if ! command -v apt-get >/dev/null; then
  stop "this system has no apt-get, so these are Debian's names of them"
elif [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    stop "you are not root, and there is no sudo"
  elif ! sudo -n true 2>/dev/null; then
    stop "you are not root, and sudo asks for a password"
  fi
  privileged=(sudo)
fi
echo "Installing system packages for the tests: ${packages[*]}"
# The progress of apt-get and dpkg is long; their errors go to stderr.
# shellcheck disable=SC2086
${privileged[@]+"${privileged[@]}"} apt-get update -qq >/dev/null &&
  ${privileged[@]+"${privileged[@]}"} env DEBIAN_FRONTEND=noninteractive $install -qq >/dev/null ||
  stop "apt-get could not install them, see above"
