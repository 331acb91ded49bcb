#!/bin/sh
# Logs of GHC 9.0.2 in each of its modes (scripts/record-ghc-logs): they hold what their programs
# did and what the runtime wrote beside them.
. "${srcdir:-.}/tests/lib.sh"
sources=$tests/ghc
logs_read=0
. "$sources/truth.sh"

# check_census LOG: after each sweep of the collector that does not move the heap is counted, by sizes
# of blocks from 8 bytes to 16 KiB, each twice the one before; not all of it is empty.
check_census ()
{
  "$proflog" dump "$1" >"$work/dump" || fail "$1 cannot be dumped"
  awk '
    / conc-sweep-end/ { if (size != 15) wrong++; size = 3; sweeps++ }
    / nonmoving-heap-census / {
      for (i = 4; i <= NF; i++) { split ($i, word, "="); value[word[1]] = word[2] }
      if (value["log2_block_size"] != size++) wrong++
      live += value["live_blocks"]
    }
    BEGIN { size = 15 }
    END { exit !(sweeps > 0 && wrong == 0 && size == 15 && live > 0) }' "$work/dump" \
    || fail "$1: the heap is not counted behind each sweep"
  checks=$((checks + 1))
}

for packed in "$logs"/ghc-*.eventlog.gz; do
  recorded=${packed%.eventlog.gz}
  begin_log "$packed" "$(basename "$recorded")"
  case $name in
    ghc-sparks-user) ;; # without threads
    *) compare_truth "$recorded.truth" ;;
  esac
  if test -f "$recorded.hp.gz"; then
    gunzip -c "$recorded.hp.gz" >"$work/unpacked" || fail "$recorded.hp.gz cannot be unpacked"
    compare_hp "$work/unpacked"
    compare_bands "$packed" "$work/unpacked"
  fi
  if test -f "$recorded.prof"; then
    compare_prof "$recorded.prof"
    compare_tree "$packed" "$recorded.prof"
  fi
  case $name in
    ghc-collect-nonmoving) check_census "$packed" ;;
    ghc-blocks*) compare_waits "$packed" "$recorded.truth" ;;
  esac
  logs_read=$((logs_read + 1))
done
test "$logs_read" -ge 22 || fail "only $logs_read logs"
echo "$logs_read logs, $checks checks"
