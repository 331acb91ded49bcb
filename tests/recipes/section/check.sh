log=$tree/tests/logs/all-v17.mlpd
./proflog report --reports=sync_points "$log" >"$work/text"
sees 'periodic *1' "$work/text"
./proflog report --reports=sync_points --format json "$log" >"$work/json"
sees '"sync_points": {' "$work/json"
sees '"type": "periodic", "count": 1' "$work/json"
./proflog report --reports=sync_points --format csv "$log" >"$work/csv"
sees 'periodic,1' "$work/csv"
./proflog report --reports=sync_points --format markdown "$log" >"$work/markdown"
sees '| periodic *| *1 |' "$work/markdown"
COLUMNS=1000 ./proflog report --help >"$work/help"
sees 'threads, sync_points, ' "$work/help"
sees 'sync_points' "$tree/docs/man/proflog-report.1"
# What a row of the list rebuilds.
objects=$(find . \( -name '*.Plo' -o -name '*.Po' \) -exec grep -l 'analyses/analyses\.def' {} + | wc -l)
test "$objects" -le 40 || fail "a row of analyses.def rebuilds $objects objects"
echo "    a row of analyses.def rebuilds $objects of at most 40 objects"
