#!/bin/sh
# Logs of releases (tests/logs/VERSION, scripts/record-release-logs): commands print all that the release printed of
# them, with the same values; names that the release had are still there.  More of both is allowed.
. "${srcdir:-.}/tests/lib.sh"

# has_all WHAT OLD NEW: no line of OLD is missing in NEW.
has_all ()
{
  sort -u "$2" >"$work/old.sorted"
  sort -u "$3" | comm -23 "$work/old.sorted" - >"$work/gone"
  test -s "$work/old.sorted" || fail "$1: nothing is expected"
  if test -s "$work/gone"; then head -n 20 "$work/gone"; fail "$1: $(wc -l <"$work/gone") lines are gone, or have other values"; fi
}

for folder in "$logs"/[0-9]*.[0-9]*; do
  release=$(basename "$folder")
  gzip -dc "$folder/names.gz" >"$work/names.old"
  "$logs/release-names.sh" . >"$work/names.new" || fail "no names"
  has_all "names of $release" "$work/names.old" "$work/names.new"
  for figures in "$folder"/*.figures.gz; do
    log=${figures%.figures.gz}
    test -e "$log" || log=$log.gz
    gzip -dc "$figures" >"$work/figures.old"
    "$logs/release-figures.sh" . "$log" >"$work/figures.new" || fail "no figures of $log"
    has_all "$release, $(basename "$log")" "$work/figures.old" "$work/figures.new"
    checks=$((checks + 1))
  done
done
test "$checks" -ge 10 || fail "only $checks logs"
