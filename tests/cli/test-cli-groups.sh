#!/bin/sh
# The rows of --by are the sums of the single events, as the dump has them.
. "${srcdir:-.}/tests/cli/lib.sh"

# dumped LOG KIND: its events of a kind, by the fields that the sums below are made of, a line each: kind, time in
# ns from the first buffer, thread, bytes or event, type, innermost frame, all frames.
dumped ()
{
  run 0 dump "$logs/$1.mlpd.gz"
  awk -v kind="$2" '
    function field (name) {
      return match ($0, " " name "=[^ ]*") ? substr ($0, RSTART + length (name) + 2, RLENGTH - length (name) - 2) : ""
    }
    $4 == kind {
      type = match ($0, / klass=0x[0-9a-f]+ "[^"]*"/) ? substr ($0, RSTART, RLENGTH) : ""
      sub (/^[^"]*"/, "", type); sub (/"$/, "", type)
      if (type == "") type = field("vtable")
      frames = match ($0, / backtrace=\[.*\]/) ? substr ($0, RSTART + 12, RLENGTH - 13) : ""
      last = frames; while (match (last, /","/)) last = substr (last, RSTART + 3)
      gsub (/^"|"$/, "", last)
      time = $2; sub (/\./, "", time); sub (/^0+/, "", time)
      printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", $4, time + 0, $3, field("size") field("event"), type, last, frames
    }' out >events
  test -s events || fail "$1: no events in the dump"
}

# agrees WHAT: rows of the report and expected ones, in any order.
agrees ()
{
  test -s wanted || fail "$1: there is nothing to compare"
  sort wanted >expected
  sort rows >got
  same got expected
}

# rows_by KEY FIELDS SECTION LOG [OPTION...]: those columns of the table, without its head.
rows_by ()
{
  key=$1 fields=$2 section=$3 file=$logs/$4.mlpd.gz
  shift 4
  run 0 report --reports="$section" --by "$key" --fields "$fields" -f csv "$@" "$file"
  quiet err
  awk 'NR == 1 { several = /^table,/; next } several && /^$/ { exit } { print }' out \
    | sed 's/^[a-z]*\.[a-z]*,//' >rows
}

for log in module-alloc stock-alloc; do
  dumped $log alloc
  rows_by thread bytes,objects,thread allocs $log
  awk -F '\t' '{ b[$3] += $4; n[$3]++ } END { for (t in b) print b[t] "," n[t] "," t }' events >wanted
  agrees "$log by thread"
  # 2^n <= size < 2^(n+1); steps without objects are rows, too
  rows_by size from_bytes,to_bytes,objects,bytes allocs $log
  grep -v ',0,0$' rows >some && mv some rows
  awk -F '\t' '{ f = 1; while (2 * f <= $4) f *= 2; b[f] += $4; n[f]++ }
    END { for (f in b) print f "," 2 * f "," n[f] "," b[f] }' events >wanted
  agrees "$log by size"
  rows_by type bytes,objects allocs $log
  awk -F '\t' '{ b[$5] += $4; n[$5]++ } END { for (t in b) print b[t] "," n[t] }' events >wanted
  agrees "$log by type"
  run 0 report --reports=allocs --by method -f json "$logs/$log.mlpd.gz"
  read_json
  awk -F '\t' '$1 ~ /\.methods\[.*\]\.bytes$/ { b = $2 } $1 ~ /\.methods\[.*\]\.objects$/ { n = $2 }
    $1 ~ /\.methods\[.*\]\.name$/ { print b "\t" n "\t" $2 }' figures >rows
  awk -F '\t' '{ m = $6 == "" ? "(no backtrace)" : $6; b[m] += $4; n[m]++ }
    END { for (m in b) print b[m] "\t" n[m] "\t" m }' events >wanted
  agrees "$log by method"
  # Stacks differ by the type and by all frames, unless --maxframes cuts them.
  rows_by stack bytes,objects allocs $log
  cut -d , -f 1,2 rows >cut && mv cut rows
  awk -F '\t' '{ k = $5 "\t" $7; b[k] += $4; n[k]++ } END { for (k in b) print b[k] "," n[k] }' events >wanted
  agrees "$log by stack"
  # What other threads did before the first buffer began counts with the first interval.
  rows_by time time_ns,objects,bytes allocs $log --interval 1ms
  grep -v ',0,0$' rows >some && mv some rows
  awk -F '\t' '{ k = $2 < 0 ? 0 : int ($2 / 1e6); b[k] += $4; n[k]++ }
    END { for (k in b) printf "%.0f,%d,%d\n", k * 1e6, n[k], b[k] }' events >wanted
  agrees "$log by time"
done

dumped stock-exceptions exception-throw
rows_by thread throws,thread exceptions stock-exceptions
awk -F '\t' '{ n[$3]++ } END { for (t in n) print n[t] "," t }' events >wanted
agrees "exceptions by thread"
run 0 report --reports=exceptions --by method -f json "$logs/stock-exceptions.mlpd.gz"
read_json
awk -F '\t' '$1 ~ /\.methods\[.*\]\.throws$/ { n = $2 } $1 ~ /\.methods\[.*\]\.name$/ { print n "\t" $2 }' \
  figures >rows
awk -F '\t' '{ n[$6]++ } END { for (m in n) print n[m] "\t" m }' events >wanted
agrees "exceptions by method"
rows_by stack throws exceptions stock-exceptions
cut -d , -f 1 rows >cut && mv cut rows
awk -F '\t' '{ n[$7]++ } END { for (m in n) print n[m] }' events >wanted
agrees "exceptions by stack"
rows_by time time_ns,throws exceptions stock-exceptions --interval 1ms
grep -v ',0$' rows >some && mv some rows
awk -F '\t' '{ n[$2 < 0 ? 0 : int ($2 / 1e6)]++ } END { for (k in n) printf "%.0f,%d\n", k * 1e6, n[k] }' events >wanted
agrees "exceptions by time"

# Waits: from a contention to the next event of the thread.
dumped stock-monitors monitor
awk -F '\t' '$4 == "contention" { began[$3] = $2; next }
  $3 in began { print $3 "\t" began[$3] "\t" $2 - began[$3]; delete began[$3] }' events >waits
rows_by thread wait_total_ns,wait_max_ns,waits,thread locks stock-monitors
awk -F '\t' '{ s[$1] += $3; n[$1]++; if ($3 > m[$1]) m[$1] = $3 }
  END { for (t in s) printf "%d,%d,%d,%s\n", s[t], m[t], n[t], t }' waits >wanted
agrees "waits by thread"
rows_by time time_ns,contentions,wait_total_ns locks stock-monitors --interval 10ms
grep -v ',0,0$' rows >some && mv some rows
awk -F '\t' '{ k = $2 < 0 ? 0 : int ($2 / 1e7); s[k] += $3; n[k]++ }
  END { for (k in s) printf "%.0f,%d,%d\n", k * 1e7, n[k], s[k] }' waits >wanted
agrees "waits by time"
run 0 report --reports=locks --by length -f json "$logs/stock-monitors.mlpd.gz"
read_json
awk -F '\t' '$1 ~ /histogram\[.*\]\.from_ns$/ { f = $2 } $1 ~ /histogram\[.*\]\.count$/ { n = $2 }
  $1 ~ /histogram\[.*\]\.total_ns$/ { if (n) print f "\t" n "\t" $2 }' figures >rows
awk -F '\t' '{ f = 0; for (p = 1000; p <= $3; p *= 10) { f = p; if (2 * p <= $3) f = 2 * p; if (5 * p <= $3) f = 5 * p }
    s[f] += $3; n[f]++ } END { for (f in s) printf "%d\t%d\t%d\n", f, n[f], s[f] }' waits >wanted
agrees "histogram of waits"
for key in type method stack; do
  rows_by $key wait_total_ns locks stock-monitors
  cut -d , -f 1 rows >cut && mv cut rows
  test "$(awk '{ s += $1 } END { printf "%d", s }' rows)" = "$(awk '{ s += $3 } END { printf "%d", s }' waits)" \
    || fail "waits by $key: another sum"
  checks=$((checks + 1))
done

# Threads and times that are selected; the rate is that of the selected time.
run 0 report --reports=allocs --by size --time-range 10ms~20ms -f json "$logs/module-alloc.mlpd.gz"
read_json
dumped module-alloc alloc
expect allocations.bytes "$(awk -F '\t' '$2 >= 1e7 && $2 < 2e7 { s += $4 } END { print s }' events)"
expect allocations.bytes_per_second "$(awk -F '\t' '$2 >= 1e7 && $2 < 2e7 { s += $4 } END { print s * 100 }' events)"
same_sum=$(awk -F '\t' '$1 ~ /sizes\[.*\]\.bytes$/ { s += $2 } END { print s }' figures)
expect allocations.bytes "$same_sum"

# Of a pipe there are no times.  Other sections have no such rows.
gzip -dc "$logs/module-alloc.mlpd.gz" | run 0 report --reports=allocs --by time - || exit 1
says out 'over time: only of logs that are files'
gzip -dc "$logs/module-alloc.mlpd.gz" | run 3 report --live - || exit 1
says err 'only in logs that are files'
run 2 report --live --peak "$small"
says err 'give one of them'
run 2 report --live --by thread "$small"
says err 'have rows by type, method and stack'
run 2 report --live --reports=gc "$small"
says err 'apply to the section allocations'
run 3 report --live "$logs/small.eventlog"
says err 'only logs of Mono'
for by in type thread time; do
  run 3 report --reports=allocs --by $by "$logs/small.eventlog"
  says err 'what --by shows'
done
# The flame graph has the same.
for option in live peak temporary; do
  for by in type stack; do
    run 0 report --$option --by $by -f json "$logs/stock-alloc.mlpd.gz"
    read_json
    expect allocations.bytes "$("$proflog" flame -q -f folded --cost $option "$logs/stock-alloc.mlpd.gz" \
      | awk '{ sum += $NF } END { printf "%.0f\n", sum }')"
  done
done
run 2 report --reports=exceptions --by size "$small"
quiet out
says err 'none of these sections has such rows'
run 2 report --reports=gc --by type "$small"
run 2 report --by colour "$small"
done_checks
