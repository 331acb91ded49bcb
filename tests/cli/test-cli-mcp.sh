#!/bin/sh
# `proflog mcp` answers an agent as the commands do, and refuses what is outside of its folder.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built SQLITE proflog-mcp
need python3
cd "$work" || exit 1
mkdir logs logs/sub.d
cp "$tests/logs/all-v17.mlpd" logs/a.mlpd
cp "$tests/logs/all-v13.mlpd" logs/b.mlpd
gzip -dc "$tests/logs/ghc-blocks.eventlog.gz" >logs/c.eventlog
cp logs/a.mlpd secret.mlpd
ln -s ../secret.mlpd logs/link.mlpd
: >logs/other.txt
python3 "$tests/cli/mcp-client.py" "$proflog" logs || exit 1
"$proflog" mcp /nonexistent 2>err </dev/null
test $? = 3 || fail 'a folder that is not there'
grep -q '^proflog mcp: /nonexistent: no directory$' err || fail 'its message'
