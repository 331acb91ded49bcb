#!/bin/sh
# top of a C# client and a Haskell server that talk over a socket: both are seen while they run, and at the end each
# has as many marks as the programs made.
. "${srcdir:-.}/tests/mono/lib.sh"
need ghc python3
unset GHCRTS PROFLOG_GHC PROFLOG_OPTIONS
requests=300
library=$top_builddir/managed/Proflog.dll tree=$sources/../..
test -f "$library" || fail "$library is not built"
cd "$work" || exit 1
cp "$library" "$tests/ghc/programs/Server.hs" "$tree/haskell/proflog-main.c" .
mcs -nologo -r:System.Core -r:Proflog.dll -out:client.exe "$sources/programs/client.cs" >out 2>&1 \
  || fail "client.cs does not compile"
ghc -v0 -O0 -eventlog -no-hs-main -package unix "-I$tree/include" -o server Server.hs proflog-main.c \
  "-L$top_builddir/.libs" "-optl-Wl,-rpath,$top_builddir/.libs" -lproflog-ghc >out 2>&1 || fail "Server.hs does not compile: $(cat out)"

PROFLOG_GHC=output=unix-listen:server.log,flush=50 ./server socket >server.out 2>&1 &
server=$!
"$proflog" run -o client.mlpd mono client.exe socket $requests >out 2>err &
client=$!
for _ in $(seq 500); do
  test ! -s client.mlpd || test ! -S server.log || break
  sleep 0.02
done
"$proflog" top --format jsonl --interval 100ms client.mlpd unix:server.log >figures.jsonl 2>top.err || fail "top: $(cat top.err)"
wait $client || fail "the client ended with $?: $(cat err)"
wait $server || fail "the server ended with $?: $(cat server.out)"

cat >judge.py <<'END_OF_SCRIPT'
import json
import sys
requests = int(sys.argv[1])
last, both = {}, 0
for line in sys.stdin:
    figures = json.loads(line)
    last[figures['log']] = figures
    both += len(last) == 2 and all(0 < f['marks_all'] < requests and not f['ended'] for f in last.values())
assert len(last) == 2, last.keys()
assert both >= 2, f'both were seen at work {both} times'
for log, figures in last.items():
    assert figures['marks_all'] == requests, f"{log}: {figures['marks_all']} marks, not {requests}"
print(f'both were seen at work {both} times')
END_OF_SCRIPT
python3 judge.py $requests <figures.jsonl >judged 2>&1 || fail "$(tail -n 1 judged)"
cat judged
