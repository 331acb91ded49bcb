#!/bin/sh
# calls=TIME: the calls that took at least so long, and their callers, with the times of a recording of all
# calls, on a clock that the scenario sets.
. "${srcdir:-.}/tests/host/host-lib.sh"

# record_timed OPTIONS SCENARIO: as record, on the scenario's clock.
record_timed () {
  options=$1
  shift
  host_run 0 "proflog:output=$log,$options" --scripted-clock "$scenarios/world.scn" "$@"
  quiet
  check
}

# self_times: the sum of all self times that the report has.
self_times () {
  "$proflog" report --reports=calls --format json --limit 0 "$log" >"$work/report.json" || fail "no report"
  "$json_paths" <"$work/report.json" | awk -F '\t' '$1 ~ /self_ns$/ { sum += $2 } END { printf "%.0f\n", sum }'
}

# compare SCENARIO TIME NS: both recordings of the scenario agree.
compare () {
  record_timed calls,alloc,format=17 "$1"
  "$proflog" dump "$log" | awk -v threshold="$3" -f "$tests/host/long-calls.awk" | sort >"$work/wanted"
  all_self=$(self_times)
  rm -f "$log"
  record_timed "calls=$2+exact,alloc" "$1"
  "$proflog" dump "$log" | awk -v of=short -f "$tests/host/long-calls.awk" | sort >"$work/found"
  same "$work/wanted" "$work/found"
  [ "$(self_times)" = "$all_self" ] || fail "the self times are $(self_times) ns in all, not $all_self"
}

for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
  begin "random calls, seed $seed"
  awk -v seed=$seed -f "$tests/host/random-calls.awk" >"$work/random.scn"
  compare "$work/random.scn" 100ns 100
  [ "$(grep -c method-exc-leave "$work/wanted")" -gt 0 ] || fail "no exception passed through a recorded call"
done
compare "$work/random.scn" 1ns 1
compare "$work/random.scn" 1us 1000
compare "$work/random.scn" 1s 1000000000

# skipped COUNT: the report has so many calls that are not recorded.
skipped () {
  "$proflog" report --reports=calls --format json "$log" >"$work/report.json" || fail "no report"
  says "$work/report.json" "\"skipped\": $1,"
}

begin "exceptions that are not recorded pass through calls that are not recorded"
cat >"$work/exceptions.scn" <<END
clock 1000
fire method_enter Main 0
repeat i 10
  fire method_enter Work 0
  fire method_enter Step 0
  fire exception_throw exceptions[0]
  fire method_exception_leave Format exceptions[0]
  fire method_exception_leave Step exceptions[0]
  clock 9
  fire method_exception_leave Work exceptions[0]
end
clock 10
fire method_leave Main 0
shutdown
END
record_timed calls=10ns+exact,noexception "$work/exceptions.scn"
check method_enter=1 method_leave=1 method_exc_leave=0 exception_throw=0
skipped 20

# With the exception's event, the calls that it is in are recorded, too.
begin "exceptions that are recorded"
record_timed calls=10ns+exact "$work/exceptions.scn"
check method_enter=21 method_leave=1 method_exc_leave=20 exception_throw=10
skipped 0

begin "very deep recursion"
cat >"$work/deep.scn" <<END
clock 1000
repeat i 70000
  clock 1
  fire method_enter Step 0
end
repeat i 70000
  fire method_leave Step 0
end
shutdown
END
# Of 1000 levels the deepest took 69001 ns.  No level deeper than that counts.
record_timed calls=69990ns+exact,calldepth=1000 "$work/deep.scn"
check "method_enter:$Step=10" "method_leave:$Step=10"
skipped 990
record_timed calls=1us+exact,calldepth=1000000 "$work/deep.scn"
check "method_enter:$Step=65536" "method_leave:$Step=65536"

begin "a thread ends inside of calls"
cat >"$work/open.scn" <<END
clock 1000
thread t
on t
  fire method_enter Main 0
  clock 50
  fire method_enter Work 0
  clock 60
  fire method_enter Step 0
  clock 40
end
finish t
fire method_enter Concat 0
clock 40
shutdown
END
record_timed calls=100ns+exact "$work/open.scn"
check "method_enter:$Main=1" "method_enter:$Work=1" method_enter=2 method_leave=0
skipped 2

begin "only some methods"
awk -v seed=1 -f "$tests/host/random-calls.awk" >"$work/random.scn"
record_timed "calls=1ns+exact,callspec=M:Program.Node:Main" "$work/random.scn"
check method_enter=3 method_leave=3
skipped 0

# The sanitizers cannot run such a child (test-host-fork.sh).
if [ "${SANITIZER:-no}" = no ]; then
begin "a forked child has counts of its own"
cat >"$work/fork.scn" <<END
clock 1000
fire method_enter Main 0
repeat i 5
  fire method_enter Work 0
  fire method_leave Work 0
end
fork
  repeat i 3
    fire method_enter Step 0
    fire method_leave Step 0
  end
  fire method_enter Concat 0
  clock 100
  fire method_leave Concat 0
  fire method_leave Main 0
  shutdown
end
clock 100
fire method_leave Main 0
shutdown
END
host_run 0 "proflog:output=$work/%p.mlpd,calls=100ns+exact,follow-fork" --scripted-clock \
  "$scenarios/world.scn" "$work/fork.scn"
for log in "$work"/*.mlpd; do
  "$proflog" report --reports=calls --format json "$log" | sed -n 's/^    "skipped": //p'
done | sort >"$work/counts"
[ "$(tr -d '\n' <"$work/counts")" = 3,5, ] || fail "not the counts of parent and child: $(cat "$work/counts")"
log=$work/log.mlpd

begin "a thread ends in a forked child that is not recorded"
cat >"$work/fork.scn" <<END
clock 1000
fire method_enter Main 0
clock 100
fire gc_allocation nodes[1]
fire method_enter Work 0
fire method_leave Work 0
fork
  exit-thread
end
fire method_leave Main 0
shutdown
END
record_timed calls=100ns+exact,alloc "$work/fork.scn"
grep -qx "child 0" "$truth" || fail "the child ended otherwise: $(grep child "$truth")"
skipped 1
fi

begin "times of all units, and terms in any order"
for mode in 1ns 1us 1ms 1s auto auto+1us exact+1us+auto 3600s; do
  rm -f "$log"
  record_timed "calls=$mode" "$scenarios/calls.scn"
done

begin "some calls are not timed, but counted"
cat >"$work/many.scn" <<END
clock 1000
fire method_enter Main 0
repeat i 100000
  fire method_enter Work 0
  clock 9
  fire method_leave Work 0
end
repeat i 100000
  fire method_enter Step 0
  clock 10
  fire method_leave Step 0
end
repeat i 1000
  fire method_enter Work 0
  clock 200
  fire method_leave Work 0
end
fire method_leave Main 0
shutdown
END
record_timed calls=100ns "$work/many.scn"
found=$("$check_log" "$log" method_enter=0 2>&1 | sed -n 's/.*found //p')
# At most 95 calls of Work are not timed before the first long one is.
[ "$found" -ge $((1001 - 95)) ] || fail "$found calls are recorded of 1001 that are long"
[ "$found" -lt 1001 ] || fail "all calls were timed"
skipped $((201001 - found))
echo "$checks checks"
