# mono-figures.sh -- what is compared of two logs of Mono that are to have the same.  Sourced after lib.sh.

# figures_of LOG: its report, without the log's own name, its sizes and the number of buffers.
figures_of ()
{
  "$proflog" report -q --traces --verbose --format json "$1" \
    | grep -Ev '"(bytes|blocks)": [0-9]*,$|"name": "[^"]*\.mlpd' \
    | sed -e 's/\("events": [0-9]*\), "bytes": [0-9]*, "kind"/\1, "kind"/' -e 's/"command": "[^"]*"//'
}

# events_of LOG: all events with their times, sorted.
events_of ()
{
  "$proflog" dump -q --format csv "$1" | sed 1d | cut -d , -f 3- | grep -Ev ',(file-header|buffer),' | sort
}

# common_figures LOG FILE: what all data versions can represent.
common_figures ()
{
  "$proflog" report --format json "$1" 2>/dev/null >all.json || fail "no report of $1"
  awk '
    /^  "[a-z_]*": / { section = $1; gsub(/[":]/, "", section) }
    /"roots": |"root_sources": |"registered": |"source": |^ *\],?$/ { next } # roots: since data version 3
    section ~ /^(gc|allocations|calls|exceptions|monitors|heapshots|jit)$/ { print }
  ' all.json >"$2"
  test -s "$2" || fail "$1 has no figures"
}
