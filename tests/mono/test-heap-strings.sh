#!/bin/sh
# Strings that are there more than once: their number, length, waste, text and holder, as the program made them; in
# snapshots of a stopped program and of a copy of it.  No other reader is harmed; anonymize replaces the texts.
. "${srcdir:-.}/tests/mono/lib.sh"
compile contents -r:System.Core.dll

# recorded OPTIONS [ARGUMENT]: the program's lines are in `truth`.
recorded ()
{
  rm -f "$log"
  profiled "output=$log,$1" contents ${2+"$2"} >"$work/truth" || fail "$1: contents.exe"
  "$top_builddir/tests/host/check-log" "$log" || fail "$1: the log is not in order"
}

# strings LOG: rows of the second snapshot as the program writes them, in `rows`.
strings ()
{
  "$proflog" heap strings --format csv "$1" 2 >"$work/strings.csv" 2>"$work/err" || { cat "$work/err"; fail "heap strings"; }
  awk -F , -v OFS='\t' 'NR > 1 { print "string", $1, $3, $4, $5, $6, $7 }' "$work/strings.csv" >"$work/rows"
}

# agree: each line of the program is a row, and nothing else of the program is there twice.
agree ()
{
  grep '^string' "$work/truth" | sort >"$work/wanted"
  grep -E '	(Person|Names)\.' "$work/rows" | sort >"$work/found"
  diff "$work/wanted" "$work/found" || fail "$1: strings differ"
}

recorded heapshot=1gc,heapshot-strings
strings "$log"
agree heapshot-strings
"$proflog" cut -q --force -o "$work/cut.mlpd" "$log" || fail cut
strings "$work/cut.mlpd"
agree cut

# The figures of JSON are those of the rows.
"$proflog" heap strings --format json "$log" 2 | "$json_paths" >"$work/paths" || fail "JSON"
wasted=$(awk -F , 'NR > 1 { sum += $1 } END { print sum }' "$work/strings.csv")
grep -qx "strings.wasted_bytes	$wasted" "$work/paths" || fail "wasted bytes are not $wasted"
grep -qx "strings.not_compared	0" "$work/paths" || fail "strings were not compared"
strings=$("$proflog" heap histogram --format csv "$log" 2 | awk -F , '$NF == "System.String" { print $3 }')
grep -qx "strings.count	$strings" "$work/paths" || fail "strings are not $strings"

# Nothing of the texts is left; what is equal stays equal.
"$proflog" anonymize -q --force -o "$work/hidden.mlpd" "$log" || fail anonymize
"$proflog" dump "$work/hidden.mlpd" >"$work/dump" || fail "dump of the anonymized log"
grep -E 'city [012]|array\.\.\.|list.n|entry\.\.|long\.\.\.' "$work/dump" && fail "texts are in the anonymized log"
strings "$work/hidden.mlpd"
cut -f 2-5 "$work/rows" | sort >"$work/hidden"
awk -F , -v OFS='\t' 'NR > 1 { print $1, $3, $4, $5 }' "$work/strings.csv" | sort | diff - "$work/hidden" \
  || fail "figures of the anonymized log differ"

if has mprof-report; then
  timeout 120 mprof-report --reports=heapshot "$log" >"$work/mprof.out" || fail "mprof-report: status $?"
  grep -q 'Heap shot 1' "$work/mprof.out" || { cat "$work/mprof.out"; fail "mprof-report shows no snapshot"; }
fi

recorded heapshot=1gc,heapshot-strings,heapshot-fork 2000
strings "$log"
agree heapshot-fork

# What has no strings states so.
recorded heapshot=1gc
"$proflog" heap strings "$log" 2 >"$work/out" 2>"$work/err"
status=$?
test "$status" = 3 || fail "status $status without heapshot-strings"
grep -q 'heap snapshot 2 has no contents of strings: .*--with heapshot-strings' "$work/err" || { cat "$work/err"; fail "no reason"; }
"$proflog" heap strings "$tests/logs/all-v02.mlpd" >"$work/out" 2>"$work/err"
grep -q 'data version 2 has no contents of strings' "$work/err" || { cat "$work/err"; fail "no reason for data version 2"; }
profiled "output=$log.1,heapshot,heapshot-strings,format=1" contents >"$work/out" 2>"$work/err"
grep -q 'format=1 cannot record heapshot-strings; use format=17 or auto' "$work/err" || { cat "$work/err"; fail "format=1"; }
