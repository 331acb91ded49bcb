#!/bin/sh
# Each contention in the log has the owner that the program gave the lock to, in the program's order; and report waits
# adds them up.  PROFLOG_CONTENTIONS: their number (200).
. "${srcdir:-.}/tests/mono/lib.sh"
compile lock-owners
contentions=${PROFLOG_CONTENTIONS:-200}

# expect_owners RUNTIME OPTION...
expect_owners ()
{
  runtime=$1
  shift
  "$proflog" run "$@" --force -o "$log" "$runtime" "$exe" "$contentions" >"$work/printed" 2>"$work/err" || fail "$runtime"
  grep '^thread' "$work/printed" >"$truth" # mono-boehm may print that it waits for threads
  test "$(wc -l <"$truth")" = "$contentions" || fail 'the program did less'
  read_figures
  # A contention for the lock, of which the class stands before it and the owner after it.
  "$proflog" dump "$log" | awk '
    $4 == "metadata-thread" && match ($0, /thread=0x[0-9a-f]*/) && match ($0, /name="thread[0-9]*"/) {
      name = substr ($0, RSTART + 6, RLENGTH - 7)
      match ($0, /thread=0x[0-9a-f]*/)
      print "name", substr ($0, RSTART + 7, RLENGTH - 7), name
    }
    $4 == "monitor" && /event=contention/ { is_gate = is_class; time = $2; waiter = $3 }
    $4 == "sample-counters" && is_gate && $2 == time && match ($0, /index=999994 type=ulong value=[0-9]*/) {
      print "contention", time, waiter, substr ($0, RSTART + 30, RLENGTH - 30)
    }
    $4 != "monitor" { is_gate = 0; is_class = $4 == "metadata-class" && /name="Probe.Gate"/ }' >"$work/events"
  python3 - "$work/events" >"$work/owners" <<'END'
import sys
names, waits = {}, []
for line in open(sys.argv[1]):
    words = line.split()
    if words[0] == 'name':
        names[int(words[1], 16)] = words[2]
    else:
        waits.append((float(words[1]), int(words[2], 16), int(words[3])))
for time, waiter, owner in sorted(waits):
    print(names.get(waiter), names.get(owner))
END
  cmp -s "$truth" "$work/owners" || { diff "$truth" "$work/owners" | head; fail "$runtime $*: other owners than the program has"; }
  checks=$((checks + 1))
  # The same locks in the table of top.
  "$proflog" report --reports=monitors --limit 0 --format csv "$log" | awk -F, '
    $1 ~ /^[0-9]+$/ { n[$7] += $3 } END { for (type in n) print n[type], type }' | sort >"$work/expected"
  "$proflog" top --once "$log" | awk '/^locks$/ { inside = 1; next } NF == 0 { inside = 0 }
    inside && $1 != "WAIT%*" { n = $4; $1 = $2 = $3 = $4 = ""; sub (/^ */, ""); print n, $0 }' | sort >"$work/live"
  grep -q "^$contentions Probe.Gate$" "$work/expected" || fail "$runtime $*: the report has other locks"
  cmp -s "$work/expected" "$work/live" || { diff "$work/expected" "$work/live"; fail "$runtime $*: top has other locks"; }
  for name in thread0 thread1 thread2 thread3 thread4; do
    owned=$(awk -v name="$name" '$2 == name { n++ } END { print n + 0 }' "$truth")
    listed=$("$proflog" report --reports=waits --limit 0 --format csv "$log" | awk -F, -v name="$name" '
      $1 == "wait_owners" && $5 == name && $6 == "Probe.Gate" { n += $3 } END { print n + 0 }')
    test "$owned" = "$listed" || fail "$runtime $*: $name owned the lock in $listed waits, not $owned"
    checks=$((checks + 1))
  done
}

need python3
expect_owners mono --wall
"$proflog" report --reports=waits --limit 0 "$log" >"$work/out"
grep -q 'Probe.Gate  *Probe.LockOwners:OwnWhileWaitedFor (int)' "$work/out" || fail 'where the owner was'
expect_owners mono
! command -v mono-boehm >/dev/null || expect_owners mono-boehm --wall
