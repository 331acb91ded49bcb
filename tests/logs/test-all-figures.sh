#!/bin/sh
# Logs of every data version, tests/logs/all-v*.mlpd: a report has the figures of all.figures.
. "${srcdir:-.}/tests/lib.sh"
sources=$tests/mono
. "$sources/agree.sh"

# wrong VERSION: prints the figures of $work/ours that are not those of all.figures.  Shots count from
# the first one on, and what is 0 may be missing.
wrong ()
{
  awk -F '\t' -v version="$1" '
    NR == FNR {
      if (match ($1, /^heapshots\[[0-9]+\]/)) {
        shot = substr ($1, 11, RLENGTH - 11)
        if (first == "")
          first = shot
        $1 = "heapshots[" (shot - first) "]" substr ($1, RLENGTH + 1)
      }
      ours[$1] = $2
      next
    }
    /^#/ || version < $2 || ($3 != "-" && version > $3) { next }
    { known++ }
    ours[$1] "" != $4 "" && ours[$1] + 0 != $4 + 0 {
      printf "%s: %s, not %s\n", $1, $4, ours[$1] == "" ? "nothing" : ours[$1]
    }
    END { if (known < 40) print "few figures are known" }' "$work/ours" "$logs/all.figures"
}

read=0
for log in "$logs"/all-v*.mlpd "$logs"/all-v*.mlpd.gz; do
  name=$(basename "$log")
  version=$(echo "$name" | sed 's/^all-v0*\([0-9]*\).*/\1/')
  ./proflog report --format json "$log" >"$work/report.json" || fail "proflog report $name ended with $?"
  ./tests/mono/json-paths <"$work/report.json" >"$work/ours" || fail "the report of $name is not JSON"
  add_thread_counts "$work/ours"
  add_sample_figures "$work/ours"
  wrong "$version" >"$work/wrong"
  if test -s "$work/wrong"; then cat "$work/wrong"; fail "the report of $name has wrong figures"; fi
  read=$((read + 1))
done
test "$read" -ge 20 || fail "only $read logs"
