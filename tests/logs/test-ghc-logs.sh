#!/bin/sh
# Logs of GHC 9.0.2 in each of its modes (scripts/record-ghc-logs): they hold what their programs
# did and what the runtime wrote beside them.
set -u
LC_ALL=C
export LC_ALL
sources=$(cd "${srcdir:-.}" && pwd)/tests/ghc
logs=$(cd "${srcdir:-.}" && pwd)/tests/logs
proflog=$PWD/proflog
checks=0 logs_read=0

fail ()
{
  echo "FAIL: $*" >&2
  exit 1
}

work=$(mktemp -d "${TMPDIR:-/tmp}/proflog-ghc-logs.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
. "$sources/truth.sh"

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
    ghc-blocks*) compare_waits "$packed" "$recorded.truth" ;;
  esac
  logs_read=$((logs_read + 1))
done
test "$logs_read" -ge 22 || fail "only $logs_read logs"
echo "$logs_read logs, $checks checks"
