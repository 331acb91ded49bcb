# judge.sh -- compares proflog with ghc-events.  Sourced after lib.sh.

# reference MACHINE LOG: valid, or the time and the capability of the event that is refused; nothing
# where the tool cannot read the log.
reference ()
{
  LC_ALL=C.UTF-8 ghc-events validate "$1" "$2" >"$work/reference" 2>/dev/null
  awk '/^Valid event log/ { print "valid"; exit }
       /^Invalid event log/ { invalid = 1 }
       invalid && /^Event \{evTime = / {
         time = $4
         sub (/,/, "", time)
         cap = "none"
         if (match ($0, /evCap = Just [0-9]+\}$/)) cap = substr ($0, RSTART + 13, RLENGTH - 14)
         print time, cap
       }' "$work/reference"
}

# ours MACHINE LOG: the same.
ours ()
{
  "$proflog" validate --format json "$1" "$2" >"$work/ours" 2>"$work/ours.err"
  status=$?
  "$json_paths" <"$work/ours" >"$work/figures" || fail "validate $1: no JSON"
  awk -F '\t' -v status=$status '
    $1 ~ /^machines/ { key = $1; sub (/.*\./, "", key); value[key] = $2 }
    $1 == "log.valid" { valid = $2 }
    END {
      if (valid == "true" && status == 0) print "valid"
      else if (valid == "false" && status == 1)
        print value["time_ns"], value["cap"] == "null" ? "none" : value["cap"]
      else print "status", status
    }' "$work/figures"
}

# compare_verdicts LOG WHAT: of all machines; how many refused an event is added to $refused.
compare_verdicts ()
{
  for machine in threads threadpool threadrun taskpool tasks sparks; do
    expected=$(reference "$machine" "$1")
    test -n "$expected" || continue
    got=$(ours "$machine" "$1")
    test "$got" = "$expected" || fail "$2: $machine: $got, not $expected"
    test "$got" = valid || refused=$((refused + 1))
    checks=$((checks + 1))
  done
}

# compare_traces LOG WHAT: of all machines; throwTo has another name there.
compare_traces ()
{
  for machine in threads threadpool threadrun taskpool tasks sparks; do
    LC_ALL=C.UTF-8 ghc-events simulate "$machine" "$1" >"$work/reference" 2>"$work/reference.err"
    # Some logs it cannot read, or not to their end.
    test ! -s "$work/reference.err" || continue
    sed 's/= BlockedOnMsgGlobalise}/= BlockedOnMsgThrowTo}/' "$work/reference" >"$work/expected"
    "$proflog" simulate "$machine" "$1" >"$work/ours" 2>"$work/ours.err"
    status=$?
    test "$status" = "$(grep -c '^Invalid:$' "$work/expected")" \
      || fail "$2: simulate $machine: status $status"
    cmp -s "$work/expected" "$work/ours" \
      || { diff "$work/expected" "$work/ours" | head -n 4 >&2; fail "$2: simulate $machine: another trace"; }
    checks=$((checks + 1))
  done
}

# compare_run_times LOG WHAT: each thread that does not run at the end ran as long as `ghc-events profile`
# states.
compare_run_times ()
{
  LC_ALL=C.UTF-8 ghc-events profile threads "$1" 2>/dev/null \
    | sed -n 's/^(\([0-9]*\),(ThreadRunning,[0-9]*,\([0-9]*\)))$/\1 \2/p' \
    | awk '{ ns[$1] += $2 } END { for (id in ns) if (ns[id] > 0) print id, ns[id] }' \
    | sort >"$work/reference"
  "$proflog" report --reports threads --fields id,run_ns,state --format csv "$1" 2>"$work/ours.err" \
    | awk -F , 'NR > 1 && $2 > 0 && $3 != "running" { print $1, $2 }' | sort >"$work/ours"
  awk 'NR == FNR { id[$1] = 1; next } $1 in id' "$work/ours" "$work/reference" >"$work/expected"
  test "$(wc -l <"$work/ours")" -ge "$(($(wc -l <"$work/reference") - 2))" || fail "$2: threads are missing"
  cmp -s "$work/expected" "$work/ours" \
    || { diff "$work/expected" "$work/ours" >&2; fail "$2: threads ran for other times"; }
  checks=$((checks + $(wc -l <"$work/ours")))
}
