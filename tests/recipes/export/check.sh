log=$tree/tests/logs/small.mlpd
./proflog export --format dot "$log" >"$work/graph"
sees 'digraph heap {' "$work/graph"
sees '  n0 \[label="' "$work/graph"
sees '  n[0-9]* -> n[0-9]' "$work/graph"
./proflog export --help >"$work/help"
sees '  dot  *Graphviz' "$work/help"
./proflog export --format dto "$log" >"$work/out" 2>&1 && fail "the format dto is accepted"
sees 'heapsnapshot, hprof, perfetto and dot; did you mean dot?' "$work/out"
