#!/bin/sh
# Programs that a program starts, and children that it forks, have logs of their own; each holds what
# its process counted.
. "${srcdir:-.}/tests/mono/lib.sh"

compile children
cd "$work" || exit 1

# compare LEAST: for each process that reported its figures there is a log, which says the same; there are
# LEAST of them.
compare ()
{
  sort "$truth" | awk '{ sum[$1 " " $2] += $3 } END { for (key in sum) print key, sum[key] }' \
    >"$work/processes"
  test "$(wc -l <"$work/processes")" = "$1" \
    || { cat "$truth"; fail "$(wc -l <"$work/processes") processes, not $1"; }
  while read -r pid key objects; do
    read_figures "$work/log.$pid.mlpd"
    expect log.pid "$pid"
    expect "allocations.types[${key#*:}].objects" "$objects"
    expect_names
  done <"$work/processes"
  count=$(ls "$work"/log.*.mlpd | wc -l)
  test "$count" = "$1" || { ls "$work"; fail "$count logs, not $1"; }
}

"$proflog" run --children --allocs -o "$work/log.%p.mlpd" mono "$programs/children.exe" 2 2 \
  >"$truth" 2>"$work/stderr" || fail "the program failed"
compare 7
test "$(grep -c '^proflog run: the log is ' "$work/stderr")" = 7 \
  || fail "not all logs are reported"
rm -f "$work"/log.*

# Through a script, and sampled.
printf '#!/bin/sh\nmono "$@"\n' >"$work/start"
chmod +x "$work/start"
"$proflog" run --children --allocs=1 -o "$work/log.%p.mlpd" "$work/start" "$programs/children.exe" 1 1 \
  >"$truth" 2>"$work/stderr" || fail "the program failed"
compare 2
rm -f "$work"/log.*

# Without it the program's children are none of our business.
"$proflog" run --allocs -o "$work/log.%p.mlpd" mono "$programs/children.exe" 1 2 \
  >"$truth" 2>"$work/stderr" || fail "the program failed"
test "$(ls "$work"/log.*.mlpd | wc -l)" = 1 || fail "children were recorded"
rm -f "$work"/log.*

"$proflog" run --children -o "$work/log.mlpd" mono "$programs/children.exe" 1 1 >"$truth" 2>"$work/stderr"
test $? = 2 || fail "all would write to one log"
test ! -s "$truth" || fail "it was started"

# A child that goes on, and ends by exit and by _exit.
for options in alloc alloc,format=17 alloc,calls; do
  profiled "$options,output=$work/log.mlpd" children fork >"$truth" 2>"$work/stderr" \
    || fail "the program failed"
  test "$(ls "$work"/log*.mlpd | wc -l)" = 1 || fail "children have logs"
  profiled "$options,follow-fork,output=$work/log.%p.mlpd" children fork >"$truth" 2>"$work/stderr" \
    || fail "the program failed"
  quiet "$work/stderr"
  rm "$work/log.mlpd"
  # The one that ended by _exit left its end in the spool.
  spool=$(ls "$work"/*.spool)
  "$proflog" repair "${spool%.spool}" -o "$work/whole" 2>"$work/err" \
    || { cat "$work/err"; fail "the log of $spool is not repaired"; }
  rm "$spool"
  mv "$work/whole" "${spool%.spool}"
  compare 3
  rm -f "$work"/log.*
done
echo "$checks figures agree"
