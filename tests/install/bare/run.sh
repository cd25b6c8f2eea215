# Runs steps on bare systems: the settings, the checks before anything is made, the logs, and what is left when it ends.
# Sourced by scripts that set HERE (this folder's parent), NAME (theirs), ALL_STEPS and PACKAGES (of the bare system, with
# commas between them), define a function step_STEP for each step, put what is tried into $CONTENT, and call run_steps.

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
  echo "$NAME: $1" >&2
  exit "${2:-1}"
}
for step in $STEPS; do
  [[ " $ALL_STEPS " == *" $step "* ]] || stop "there is no step $step; the steps are: $ALL_STEPS" 2
done
ARCHIVE=$CACHE/$RELEASE-${PACKAGES:-minbase}.tar
[ "$(id -u)" -eq 0 ] || stop "making a chroot needs root; run it as root, best on a machine that can be thrown away"
command -v debootstrap >/dev/null || stop "debootstrap is not installed; apt-get install debootstrap"
[ -e "/usr/share/debootstrap/scripts/$RELEASE" ] || stop "debootstrap knows no release $RELEASE" 2

. "$HERE/bare/host.sh"
. "$HERE/bare/chroot.sh"
. "$HERE/bare/job.sh"

mkdir -p "$LOGS"
WORK=$(mktemp -d "${TMPDIR:-/var/tmp}/mapexplorer-bare.XXXXXX")
chmod 755 "$WORK"
CONTENT=$WORK/content.tar
finish() {
  trap - EXIT INT TERM HUP
  end_job
  remove "$WORK"
}
trap finish EXIT
trap 'finish; exit 130' INT
trap 'finish; exit 143' TERM HUP

# report TEXT: a line for whoever started this, from within a step whose output goes to its log.
report() {
  echo "    $1"
  echo "    $1" >&3
}

# timed NAME LIMIT COMMAND: runs a command as the tester and reports its time by the clock.
timed() {
  as "$TESTER" "start=\$EPOCHREALTIME; $3; status=\$?; end=\$EPOCHREALTIME; echo \$start \$end >times; exit \$status"
  within "$1" "$2" "$(awk '{ printf "%.2f", $2 - $1 }' "$root/home/$TESTER/times")"
}

# within NAME LIMIT SECONDS: reports a time; $kept becomes false where it exceeds its limit.
within() {
  if awk "BEGIN { exit !($3 <= $2) }"; then
    report "$1: $3 s, at most $2 s"
  else
    report "$1: $3 s, which is more than the limit of $2 s"
    kept=false
  fi
}

# run_steps TITLE: runs each step; the status is 1 when one of them fails.
run_steps() {
  local step start failed=0
  exec 3>&1
  carried_variables
  echo "$NAME: $RELEASE, $1; logs in $LOGS"
  in_background "$LOGS/base" base_archive
  [ "$job_status" -eq 0 ] || stop "the bare system could not be made, see $LOGS/base and $LOGS/debootstrap"
  for step in $STEPS; do
    start=$SECONDS
    in_background "$LOGS/$step" "step_$step"
    if [ "$job_status" -eq 0 ]; then
      echo "$step: passed, $((SECONDS - start)) s"
    else
      failed=$((failed + 1))
      echo "$step: FAILED, $((SECONDS - start)) s; the end of $LOGS/$step:"
      tail -n 25 "$LOGS/$step" | sed 's/^/    /'
    fi
  done
  echo "$NAME: $(wc -w <<<"$STEPS") steps, $failed failed."
  [ "$failed" -eq 0 ]
}
