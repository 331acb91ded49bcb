#!/bin/sh
# Many logs: folders that stand for the logs in them, and sums over logs.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3

# ---- folders ----

mkdir -p fleet/host=a/pid=1 fleet/host=b fleet/.hidden fleet/empty
cp "$logs/stock-alloc.mlpd.gz" fleet/host=a/pid=1/x.mlpd.gz
cp "$logs/small.eventlog" fleet/host=b/y.eventlog
cp "$small" fleet/host=b/.z.mlpd
cp "$small" fleet/.hidden/z.mlpd
echo text >fleet/notes.txt
: >fleet/host=a/x.mlpd.spool
ln -s ../host=b fleet/host=a/loop
ln -s "$small" fleet/linked.mlpd
mkfifo fleet/pipe.mlpd

# Logs by the order of their paths; also below a folder given with a slash or with other words.
run 0 info --format json fleet
grep '"name": "fleet' out | sed 's/^ *"name": "//; s/",$//' >names
same_lines names fleet/host=a/pid=1/x.mlpd.gz fleet/host=b/y.eventlog fleet/linked.mlpd
run 0 report --by log --format csv fleet/ "$small"
sed '1d; s/.*,//' out >names
same_lines names fleet/host=a/pid=1/x.mlpd.gz fleet/host=b/y.eventlog fleet/linked.mlpd "$small"
for command in 'check -q' dump stats 'export --format chrome' validate; do
  # shellcheck disable=SC2086 # words
  "$proflog" $command fleet/host=b fleet/linked.mlpd >got 2>/dev/null
  # shellcheck disable=SC2086
  "$proflog" $command fleet/host=b/y.eventlog fleet/linked.mlpd >listed 2>/dev/null
  same got listed
done
if test -x "$top_builddir/proflog-query"; then
  run 0 query --format csv fleet 'SELECT DISTINCT log FROM events ORDER BY 1'
  same_lines out log fleet/host=a/pid=1/x.mlpd.gz fleet/host=b/y.eventlog fleet/linked.mlpd
fi
run 2 report fleet/empty
says err 'fleet/empty: no log in this folder (files seen: 0)'
rm fleet/host=b/y.eventlog
run 2 report fleet/host=b
says err 'fleet/host=b: no log in this folder (files seen: 0)'
mkdir texts
echo text >texts/a.txt
echo text >texts/b.mlpd.txt
run 2 info texts
says err 'files seen: 2'
cp "$logs/small.eventlog" fleet/host=b/y.eventlog

# A command of one log.
for command in 'cut -o part' 'flame -o f.html' 'repair -o r' 'export --format folded' 'heap list'; do
  # shellcheck disable=SC2086
  "$proflog" $command fleet >out 2>err && fail "$command reads a folder"
  grep -q 'one log\|Is a directory' err || fail "$command of a folder"
done
run 0 cut --time-range ~1s fleet/host=a/pid=1 -o part.mlpd
run 0 merge all.eventlog fleet/host=b

# Files of one log are one log in a folder, too.
mkdir rotated
gzip -dc "$logs/stock-calls.mlpd.gz" >whole.mlpd
python3 "$tests/cli/split-log.py" whole.mlpd rotated/app 3 || fail "cannot split"
run 0 report --by log --format csv rotated
sed '1d; s/.*,//' out >names
same_lines names 'rotated/app.*.mlpd'

# Groups of diff.
mkdir old new
cp "$logs/stock-alloc.mlpd.gz" old/a.mlpd.gz
cp "$logs/stock-calls.mlpd.gz" old/b.mlpd.gz
cp "$logs/stock-alloc.mlpd.gz" new/c.mlpd.gz
for groups in 'old new' 'old -- new' 'old/a.mlpd.gz old/b.mlpd.gz -- new' 'old new/c.mlpd.gz'; do
  # shellcheck disable=SC2086
  run 0 diff --format json $groups
  test -s first || cp out first
  same out first
done
read_json
expect 'runs.base[1]' old/b.mlpd.gz
done_checks
