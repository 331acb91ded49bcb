#!/bin/sh
# `proflog show` of Mono logs: events in order of time, in words, with names.
. "${srcdir:-.}/tests/cli/lib.sh"

# What make-small.c writes, in order of its times.
cat >events <<'END'
0.000000010 0x7f11: loaded image "/opt/small.exe", 0x560010
0.000000011 0x7f11: loaded assembly "small", 0x560100
0.000000012 0x7f11: loaded domain 0x1
0.000000013 0x7f11: naming domain 0x1 "small.exe"
0.000000020 0x7f11: loaded class "Small.Node", 0x561000, of image /opt/small.exe
0.000000021 0x7f11: failed to load class "Small.Broken", 0x561200, of image /opt/small.exe
0.000000030 0x7f11: compiled "Small.Program:Main (string[])", 120 bytes at 0x41000000, 0x570000
0.000000040 0x7f11: entering Small.Program:Main (string[])
0.000000050 0x7f11: compiled "Small.Program:Work (int)", 400 bytes at 0x41000080, 0x570080
0.000000060 0x7f11: entering Small.Program:Work (int)
0.000000070 0x7f11: allocating Small.Node at 0x7fa0100, 24 bytes, in Small.Program:Work (int) (2 frames)
0.000000071 0x7f11: allocating System.Byte[] at 0x7fa0118, 4096 bytes
0.000000080 0x7f11: throwing an object, 0x7fa2100, in Small.Program:Work (int) (2 frames)
0.000000081 0x7f11: running catch clause 0 of Small.Program:Main (string[])
0.000000082 0x7f11: leaving Small.Program:Work (int) by an exception
0.000000090 0x7f11: waiting for the lock of an object, 0x7fa0008, in Small.Program:Main (string[])
0.000000100 0x7f22: loaded class "System.Byte[]", 0x561100, of image /opt/small.exe
0.000000110 0x7f22: waiting for the lock of an object, 0x7fa0048
0.000000130 0x7f22: failed to acquire the lock of an object, 0x7fa0048
0.000000290 0x7f11: acquired the lock of an object, 0x7fa0008
0.000000400 0x7f11: stopping the world (generation 1)
0.000000410 0x7f11: starting collection (generation 1)
0.000000420 0x7f11: moving 2 objects
0.000000450 0x7f11: finished collection (generation 1)
0.000000460 0x7f11: starting heap snapshot
0.000000460 0x7f11: object 0x7f9f100: Small.Node, 24 bytes, 1 reference
0.000000460 0x7f11: object 0x7f9f100: Small.Node, 1 more reference
0.000000460 0x7f11: object 0x7f9f118: System.Byte[], 4096 bytes, 0 references
0.000000490 0x7f11: finished heap snapshot
0.000000495 0x7f11: heap size: 4194304 bytes
0.000000500 0x7f11: restarted the world (generation 1)
0.000000900 0x7f11: leaving Small.Program:Main (string[])
END
run 0 show "$small"
quiet err
same out events
eventlog=$small
cp events whole
same_from_anywhere show
run 0 show -o written "$small"
quiet out
same written events

# In order of the file: as dump has them.  What has no name before has none there.
run 0 show --order file "$small"
quiet err
"$proflog" dump "$small" | awk '$4 != "buffer" && $2 != "file-header" { print $2 }' >expected
sed 's/ .*//' out >got
same got expected
says out 'allocating an object of class 0x561100 at 0x7fa0118, 4096 bytes'
run 0 show --order file - <"$small"
test "$(wc -l <out)" = 32 || fail "$(wc -l <out) lines of standard input"

# Several logs, of both formats.
run 0 show "$small" "$logs/small.eventlog"
{ echo "log \"$small\""; cat events; } >expected
head -n 33 out >got
same got expected
says out 'stopping thread 1 (thread finished)'

# chosen PATTERN ARGUMENT...: the events that are shown are those of the pattern, in both orders.
chosen ()
{
  pattern=$1
  shift
  grep -E "$pattern" events >expected
  test -s expected || fail "nothing has $pattern"
  run 0 show "$@" "$small"
  same out expected
  run 0 show --order file "$@" "$small"
  sed 's/:.*//' out | sort >got
  sed 's/:.*//' expected | sort >sorted
  same got sorted
}
chosen ' 0x7f22: ' --thread 0x7f22
chosen '^0.0000000(8|9)' --time-range 80ns~100ns
chosen '4194304' --min-bytes 1M
run 0 show --filter 'Small.Node' "$small"
same_lines out "$(sed -n 5p events)" "$(sed -n 11p events)" "$(sed -n 26p events)" "$(sed -n 27p events)"
# A name that comes later in the file.
run 0 show --filter '^System.Byte' "$small"
same_lines out "$(sed -n 12p events)" "$(sed -n 17p events)" "$(sed -n 28p events)"
run 0 show --thread 0x99 "$small"
quiet out
says err "nothing was selected: none of 32 events"
run 3 show --cap 1 "$small"
says err "it has no capabilities"
run 2 show --format json "$small"

# Every kind of event: in each log as many lines as dump has events, at the same times in order.
for log in "$logs"/all-v*.mlpd; do
  run 0 show "$log"
  "$proflog" dump --order time "$log" >dumped || fail "dump of $log"
  awk '{ print $3 }' dumped >expected
  sed 's/ .*//' out >got
  same got expected
done
run 0 show "$logs/all-v17.mlpd"
says out '0.006009000 0x7f0030000800 "Worker, no. 1": allocating System.Object at 0x7f0018000600, 16 bytes'
says out '"Helper": counter "Methods JITted using mono JIT" is 99, counter "Collections" is 6'
says out 'sampling thread 0x7f0030000000 "Main" in All.Program:Leaf (int), at 0x7f0005000408 (3 frames)'
run 0 show --thread 'Worker*' --time-range 6.002ms~6.004ms "$logs/all-v17.mlpd"
test "$(grep -c '"Worker, no. 1"' out)" = 2 || fail "not the events of the worker"

# Damage: what is there, and a warning.
head -c 450 "$small" >cut.mlpd
run 0 show cut.mlpd
says err "cut.mlpd: warning"
tail -n 1 out >got
same_lines got "$(sed -n 32p events)"
run 4 show --strict cut.mlpd
run 3 show nothing.mlpd
done_checks
