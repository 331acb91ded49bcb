#!/bin/sh
# Names that are scripts, markup, formulas, escapes or no UTF-8: the peers load every export of such logs and find
# in them what the reports state; nothing in a page is made of a name.
. "${srcdir:-.}/tests/peers/peers.sh"
need python3 node chromium heaptrack_print
need_peer pprof pprof

# hostile LOG: it is $log, with hostile names.
hostile ()
{
  log=$work/hostile-${1%.gz}
  case $1 in
    *.gz) gunzip -c "$tests/logs/$1" >"$work/log" ;;
    *) cat "$tests/logs/$1" >"$work/log" ;;
  esac
  names=$(python3 "$peers/make-hostile.py" "$proflog" "$work/log" "$log")
  test "$names" -ge 4 || fail "$1 has only $names names"
  "$proflog" check --strict "$log" >"$work/out" 2>"$work/err" || fail "$log is damaged"
}

# judge_page: nothing of a page has run, no name is an element, and no row is missing.
judge_page ()
{
  node "$tests/serve/browse.mjs" "file://$work/page.html" wait 'document.readyState === "complete"' \
    print 'document.title' print 'document.querySelectorAll("img, a[href^=\"javascript\"], [onload], [onerror]").length' \
    print 'document.body.innerText.includes("</title></script><")' >"$work/out" 2>"$work/err" || fail "the page of $log"
  { read -r title; read -r elements; read -r names; } <"$work/out"
  case $title in *owned*) fail "a name has run in the page of $log" ;; esac
  test "$elements" = 0 || fail "$elements elements are names in the page of $log"
  test "$names" = true || test "$1" = flame || fail "the page of $log has no hostile name"
}

# judge_stacks: pprof and heaptrack_print load what they are given, and find as much.
judge_stacks ()
{
  for source in samples calls allocations exceptions; do
    total=$("$proflog" export -q --format folded --source $source "$log" 2>"$work/err" \
      | awk '{ sum += $NF } END { printf "%.0f", sum }')
    test "$total" != 0 || continue
    "$proflog" export -q --format pprof --source $source "$log" >"$work/profile.pb" || fail "no profile of $log"
    "$PROFLOG_PEERS/pprof" -raw "$work/profile.pb" >"$work/out" 2>"$work/err" || fail "pprof of $log"
    test ! -s "$work/err" || fail "pprof complains of $log"
    found=$(awk '/^Locations/ { exit } /^ *[0-9]+.*: / { sub (/:.*/, ""); sum += $NF } END { printf "%.0f", sum }' \
      "$work/out")
    test "$found" = "$total" || fail "$source of $log: pprof has $found, not $total"
    test $source = allocations || continue
    "$proflog" export -q --format heaptrack -o "$work/file" --force "$log" || fail "no heaptrack of $log"
    grep -av '^-' "$work/file" >"$work/unfreed"
    heaptrack_print -f "$work/unfreed" -F "$work/found" --flamegraph-cost-type leaked >"$work/out" 2>&1 \
      || fail "heaptrack_print of $log"
    found=$(awk '{ sum += $NF } END { printf "%.0f", sum }' "$work/found")
    test "$found" = "$total" || fail "$log: heaptrack_print has $found bytes, not $total"
  done
}

for each in all-v17.mlpd module-calls.mlpd.gz module-alloc.mlpd.gz ghc-sparks-all.eventlog.gz; do
  hostile "$each"
  "$proflog" report -q --verbose --traces --limit 0 -o "$work/page.html" --force "$log" || fail "no page of $log"
  judge_page report
  if "$proflog" flame -q -f html "$log" >"$work/page.html" 2>"$work/err"; then
    judge_page flame
    "$proflog" flame -q -f svg "$log" >"$work/picture.svg" || fail "no picture of $log"
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/picture.svg" \
      || fail "the picture of $log is not XML"
  fi
  judge_stacks
  # The writers of names are those of their format, for logs of either runtime; each is judged once.
  case $each in
    all-*) tests_of='views callgrind trace firefox speedscope memlab perfetto' ;;
    *calls*) tests_of='callgrind' ;; # the others have the same names, and stacks are judged above
    *eventlog*) tests_of='views trace' ;;
    *) tests_of= ;;
  esac
  for peer_test in $tests_of; do
    if test "$peer_test" = views; then
      python3 "$peers/views.py" "$proflog" "$tests/cli/html-figures.py" "$log" >"$work/out" 2>"$work/err"
    else
      PROFLOG_PEER_LOG=$log sh "$peers/test-peer-$peer_test.sh" >"$work/out" 2>"$work/err"
    fi
    case $? in
      0) echo "$each: $peer_test agrees" ;;
      77) cat "$work/out" ;;
      *) fail "$peer_test does not agree on hostile names of $each" ;;
    esac
  done
done
