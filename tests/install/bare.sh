#!/usr/bin/env bash
# Runs README's commands on a bare machine: a minimal Debian in a chroot, each step from a clean copy of HEAD.
# STEPS chooses some of: root-demo root-test user venv pip wheel. RELEASE is the Debian or Ubuntu release, by default this
# machine's or bookworm. Needs root, debootstrap and the network. The bare system is kept for a month and the log of every
# step until the next run, in mapexplorer-bare in the cache folder.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ALL_STEPS="root-demo root-test user venv pip wheel"
STEPS=${STEPS:-$ALL_STEPS}
CACHE=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/mapexplorer-bare
LOGS=$CACHE/logs
TESTER=tester
HOST_RELEASE=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}") || true
if [ -z "${RELEASE:-}" ]; then
  RELEASE=bookworm
  [ -e "/usr/share/debootstrap/scripts/$HOST_RELEASE" ] && RELEASE=$HOST_RELEASE
fi

stop() {
  echo "check-bare: $1" >&2
  exit "${2:-1}"
}
for step in $STEPS; do
  [[ " $ALL_STEPS " == *" $step "* ]] || stop "there is no step $step; the steps are: $ALL_STEPS" 2
done
ARCHIVE=$CACHE/$RELEASE.tar
[ "$(id -u)" -eq 0 ] || stop "making a chroot needs root; run it as root, best on a machine that can be thrown away"
command -v debootstrap >/dev/null || stop "debootstrap is not installed; apt-get install debootstrap"
[ -e "/usr/share/debootstrap/scripts/$RELEASE" ] || stop "debootstrap knows no release $RELEASE" 2

. "$HERE/bare/host.sh"
. "$HERE/bare/chroot.sh"
. "$HERE/bare/steps.sh"

mkdir -p "$LOGS"
WORK=$(mktemp -d "${TMPDIR:-/var/tmp}/mapexplorer-bare.XXXXXX")
chmod 755 "$WORK"
job=
finish() {
  trap - EXIT INT TERM HUP
  # The job is a process group of its own; the first process of its namespace takes everything below with it.
  [ -z "$job" ] || { kill -KILL -- "-$job" && wait "$job"; } 2>/dev/null || true
  remove "$WORK"
}
trap finish EXIT
trap 'finish; exit 130' INT
trap 'finish; exit 143' TERM HUP

# report TEXT: a line for whoever started this, from within a step whose output goes to its log.
report() {
  echo "    $1" | tee /dev/fd/3
}

# in_background LOG FUNCTION: runs it as a job, so that an interrupt reaches this process at once.
in_background() {
  local status=0
  set -m
  ("$2") >"$1" 2>&1 &
  job=$!
  set +m
  wait "$job" || status=$?
  job=
  return "$status"
}

exec 3>&1
carried_variables
git -C "$HERE/../.." archive --output "$WORK/head.tar" HEAD
tar -C "$WORK" -xf "$WORK/head.tar" README.md
echo "check-bare: $RELEASE, $(git -C "$HERE" log -1 --format='%h %s'); logs in $LOGS"
in_background "$LOGS/base" base_archive || stop "the bare system could not be made, see $LOGS/base and $LOGS/debootstrap"

failed=0
for step in $STEPS; do
  start=$SECONDS
  if in_background "$LOGS/$step" "step_$step"; then
    echo "$step: passed, $((SECONDS - start)) s"
  else
    failed=$((failed + 1))
    echo "$step: FAILED, $((SECONDS - start)) s; the end of $LOGS/$step:"
    tail -n 25 "$LOGS/$step" | sed 's/^/    /'
  fi
done
echo "check-bare: $(wc -w <<<"$STEPS") steps, $failed failed."
[ "$failed" -eq 0 ]
