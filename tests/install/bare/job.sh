# A function as a job, so that an interrupt reaches this process at once. Sourced by run.sh.

job=
job_status=

# in_background LOG FUNCTION: runs it up to its first failing command; $job_status becomes its status. Not to be called in
# a condition: there bash goes on behind commands that fail.
in_background() {
  job_status=0
  set -m
  ("$2") >"$1" 2>&1 &
  job=$!
  set +m
  wait "$job" || job_status=$?
  job=
}

# end_job: kills the job that runs. It is a process group of its own; the first process of its namespace takes everything
# below with it.
end_job() {
  [ -z "$job" ] || { kill -KILL -- "-$job" && wait "$job"; } 2>/dev/null || true
}
