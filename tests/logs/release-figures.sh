#!/bin/sh
# release-figures.sh BUILD LOG -- prints what commands print of a log as JSON, a line each: the command, the path of the
# value, the value.  Left out are sentences, the name of the file, and what the machine decides.
set -eu
build=$1 log=$2
for command in 'report --limit 0 --traces' info check stats 'heap histogram'; do
  # shellcheck disable=SC2086
  "$build/proflog" $command -q --format json "$log" 2>/dev/null >"${TMPDIR:-/tmp}/figures.$$" || continue
  "$build/tests/mono/json-paths" <"${TMPDIR:-/tmp}/figures.$$" |
    sed -e '/^findings/d' -e '/^log\.name	/d' -e '/^name	/d' -e '/^logs*\[[^]]*\]\.name	/d' -e '/^message/d' -e "s/^/${command%% -*}	/"
done
rm -f "${TMPDIR:-/tmp}/figures.$$"
