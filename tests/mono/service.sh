# service.sh -- a program that works until it is ended, and states the truth when asked.  Sourced after lib.sh.

compile attached
mkfifo "$work/in"

# begins MODE...: the program runs; $pid.  With options of the module in $recorded_with, if that is set.
begins ()
{
  rm -f "$work/out"
  if test -n "${recorded_with:-}"; then
    LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
      mono "--profile=proflog:$recorded_with" "$exe" "$@" <"$work/in" >"$work/out" 2>"$work/program-err" &
  else
    mono "$exe" "$@" <"$work/in" >"$work/out" 2>"$work/program-err" &
  fi
  shell_pid=$!
  exec 7>"$work/in"
  wait_for grep -qs pid "$work/out"
  pid=$(sed -n 's/^pid //p' "$work/out")
  watched=$pid
}

# ends: it ends as without a profiler.
ends ()
{
  watched=
  exec 7>&-
  status=0
  wait "$shell_pid" || status=$?
  test "$status" = 7 || fail "the program ended with $status"
  test "$(tail -n 1 "$work/out")" = ended || fail "the program printed: $(cat "$work/out")"
  test ! -s "$work/program-err" || fail "the program wrote to its standard error: $(cat "$work/program-err")"
  checks=$((checks + 3))
}

# whole [LOG...]: the log has no damage.
whole ()
{
  test $# != 0 || set -- "$log"
  "$proflog" check "$@" >"$work/checked" 2>&1 || { cat "$work/checked"; fail 'the log is damaged'; }
  grep -q '^  State *good$' "$work/checked" || fail "the log is not good: $(cat "$work/checked")"
  checks=$((checks + 1))
}

# truth_now: a new line of the truth.
truth_now ()
{
  before=$(grep -c thrown "$work/out")
  echo >&7
  wait_for sh -c "test \$(grep -c thrown '$work/out') -gt $before"
  grep thrown "$work/out" | tail -n 1
}

# thrown: how many exceptions the program threw up to now.
thrown ()
{
  truth_now | awk '{ print $2 }'
}
