log=$tree/tests/logs/small.mlpd
./proflog export --format edges "$log" >"$work/graph"
sees 'digraph heap {' "$work/graph"
sees '  n0 \[label="' "$work/graph"
sees '  n[0-9]* -> n[0-9]' "$work/graph"
./proflog export --help >"$work/help"
sees '  edges  *Graphviz' "$work/help"
./proflog export --format edgse "$log" >"$work/out" 2>&1 && fail "the format edgse is accepted"
sees 'heapsnapshot, hprof, perfetto, edges and parquet; did you mean edges?' "$work/out"
