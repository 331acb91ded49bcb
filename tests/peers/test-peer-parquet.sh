#!/bin/sh
# DuckDB finds in the files of Parquet what `proflog query` and reports find in the logs.
. "${srcdir:-.}/tests/peers/peers.sh"
need node python3
need_built SQLITE proflog-query
need_peer duckdb duckdb/node_modules

set -- "$tests"/logs/all-v*.mlpd "$tests"/logs/stock-*.mlpd.gz "$tests"/logs/module-*.mlpd.gz "$tests"/logs/ghc-*.eventlog.gz
"$proflog" query -q --parquet "$work/lake" "$@" 2>"$work/err" || fail "query --parquet: $(cat "$work/err")"
node "$peers/peer-parquet.mjs" "$PROFLOG_PEERS" "$work/lake" >"$work/theirs" 2>"$work/err" \
  || fail "DuckDB: $(tail -n 3 "$work/err")"
python3 "$peers/query-sums.py" "$proflog" "$@" >"$work/ours" 2>"$work/err" || fail "query-sums.py: $(tail -n 3 "$work/err")"
for side in theirs ours; do
  LC_ALL=C sort "$work/$side" >"$work/$side.sorted"
done
same "$work/ours.sorted" "$work/theirs.sorted"
test "$(wc -l <"$work/ours")" -ge 10000 || fail "only $(wc -l <"$work/ours") columns were compared"

# Folders are partitions, and row groups have bounds: a report's figures by date and process.
log=$tests/logs/stock-alloc.mlpd.gz
"$proflog" report --reports allocations,log --format json "$log" | "$json_paths" >"$work/figures" || fail "report of $log"
figure ()
{
  sed -n "s/^$1	//p" "$work/figures"
}
test -d "$work/lake/kind=alloc/date=$(figure log.start_time_text | cut -d ' ' -f 1)/host=unknown/pid=$(figure log.pid)" \
  || fail "no folder for the process: $(ls -R "$work/lake/kind=alloc")"
awk -F '\t' -v log_name="$log" '$1 == "alloc" && $2 == log_name && $3 == "size" { print $4 }' "$work/theirs" >"$work/sizes"
test "$(cut -d ' ' -f 1,2 "$work/sizes")" = "$(figure allocations.objects) $(figure allocations.bytes)" \
  || fail "DuckDB has $(cat "$work/sizes") objects and bytes"
echo "$(wc -l <"$work/ours") columns compared"

# Over a set of 100 logs and more, of both formats and of two hosts, DuckDB has the sums of the single reports.
write_random=$top_builddir/tests/cli/write-random-log
test -x "$write_random" || fail "$write_random is not built"
mkdir -p "$work/set/host=random"
for seed in $(seq 25); do
  random=$work/set/host=random/$seed
  "$write_random" "$seed" >"$random.mlpd" || fail "seed $seed"
  "$proflog" convert -q "$random.mlpd" -o "$random.eventlog" 2>"$work/err" || fail "seed $seed: $(cat "$work/err")"
done
"$proflog" export -q --format parquet --layout hive -o "$work/fleet" -- "$@" "$work/set" 2>"$work/err" \
  || fail "export --format parquet: $(tail -n 3 "$work/err")"
set -- "$@" "$work/set"/*/*
test $# -ge 100 || fail "only $# logs"
node "$peers/peer-lake.mjs" "$PROFLOG_PEERS" "$work/fleet" 2>"$work/err" >"$work/theirs" || fail "DuckDB: $(tail -n 3 "$work/err")"
python3 "$peers/lake-sums.py" "$proflog" "$@" 2>"$work/err" >"$work/ours" || fail "lake-sums.py: $(tail -n 3 "$work/err")"
for side in theirs ours; do
  LC_ALL=C sort "$work/$side" >"$work/$side.sorted"
done
same "$work/ours.sorted" "$work/theirs.sorted"
test "$(cut -f 1 "$work/ours" | sort -u | wc -l)" -ge 20 || fail "few figures"
echo "$(wc -l <"$work/ours") sums over $# logs compared"
