#!/bin/sh
# What the command prints as JSON, of each log of tests/logs and many damaged ones, is valid by docs/schemas, as ajv
# finds; a key too many or too few and a wrong type are not.
. "${srcdir:-.}/tests/library/lib.sh"
schemas=$source_top/docs/schemas
ajv=${PROFLOG_PEERS:-$top_builddir/../peers}/ajv
batch=$work/batch
use_runtime_dir

# put ARGUMENT...: what the command prints goes into the batch.  Damaged logs end some with a status.
put ()
{
  echo "#run $*" >>"$batch"
  "$proflog" "$@" --format=json >>"$batch" 2>>messages
}

# put_lines SCHEMA ARGUMENT...: the same of a command that prints lines of this schema.
put_lines ()
{
  schema=$1
  shift
  echo "#lines $schema $*" >>"$batch"
  "$proflog" "$@" --format=json >>"$batch" 2>>messages
}

# Damaged logs of both formats.
gzip -dc "$logs/stock-heapshot.mlpd.gz" | head -c 60000 >cut.mlpd
gzip -dc "$logs/ghc-heap-hc.eventlog.gz" | head -c 30000 >cut.eventlog
for name in all-v17.mlpd all-v08.mlpd small.eventlog; do
  for at in 400 900 1300 1700; do
    { head -c $at "$logs/$name"; printf '\377\001\200\377'; tail -c +$((at + 5)) "$logs/$name"; } >"bad-$at-$name"
  done
done
"$proflog" merge -q -o merged.eventlog "$logs/ghc-sparks.eventlog.gz" "$logs/small.eventlog" || fail "merge: status $?"

for log in "$logs"/*.mlpd "$logs"/*.mlpd.gz "$logs"/*.eventlog "$logs"/*.eventlog.gz ./*.mlpd ./*.eventlog; do
  for command in 'report' 'report --traces' 'info' 'stats' 'check' 'validate all' 'heap list' 'heatmap' 'stacks'; do
    # shellcheck disable=SC2086
    put $command "$log"
  done
done
for log in "$logs/all-v17.mlpd" "$logs/small.mlpd" "$logs/stock-heapshot.mlpd.gz" "$logs/stock-alloc.mlpd.gz"; do
  for options in --by=type --by=method --by=stack --by=thread --by=time --live --peak --temporary --find=S:20 --inverted \
    --reports=timeline,series,lines,stats --time-range=20%~70% '--by=size --reports=allocations' \
    '--by=length --reports=monitors'; do
    # shellcheck disable=SC2086
    put report $options "$log"
  done
  for question in histogram 'histogram --by=size' 'histogram --by=assembly' dominators growth leaks unreachable; do
    # shellcheck disable=SC2086
    put heap $question "$log"
  done
  for question in paths object refs; do
    for object in System.Object System.String Small.Node 0x7fa0008; do put heap $question "$log" $object; done
  done
  put heap diff "$log" 1 2
  put diff "$logs/small.mlpd" "$log"
done
put heap strings "$tests/cli/contents.mlpd.gz"
put heap collections "$tests/cli/contents.mlpd.gz"
put heap tasks "$tests/cli/tasks.mlpd.gz"
put heap leaks "$tests/cli/tasks.mlpd.gz" 2
for log in "$logs/small.eventlog" "$logs/ghc-heap-hc.eventlog.gz" "$logs/ghc-ticks.eventlog.gz" \
  "$logs/ghc-blocks-N2.eventlog.gz"; do
  put report --reports=timeline,series,allocations,stats "$log"
  put report --time-range=20%~70% "$log"
  put heap histogram "$log"
  put heap diff "$log" 1 2
  put diff --fail-above=gc.pause_p99_ns=1ms "$logs/ghc-blocks.eventlog.gz" "$log"
done
put report "$logs/small.mlpd" "$logs/all-v17.mlpd" "$logs/small.eventlog"
put report --by=log "$logs/small.mlpd" "$logs/all-v17.mlpd" "$logs/small.eventlog"
put report --by=host "$logs/stock-alloc.mlpd.gz" "$logs/ghc-ticks.eventlog.gz"
for log in "$logs/small.mlpd" "$logs"/all-v*.mlpd "$logs/small.eventlog" ./*.mlpd ./bad-*.eventlog; do
  size=$(wc -c <"$log")
  test "$size" -gt 8000 || put_lines dump-line dump "$log"
done
put_lines dump-line dump "$logs/small.mlpd" "$logs/small.eventlog"
put_lines dump-line dump --order time "$logs/small.mlpd" "$logs/small.eventlog"
put_lines dump-line follow --timeout 100ms "$logs/small.mlpd" "$logs/small.eventlog"
for log in "$logs/small.mlpd" "$logs/small.eventlog"; do
  put_lines dump-line follow --start now --timeout 100ms "$log"
  put_lines top-line top --once --interval 100ms --timeout 100ms "$log"
done
put_lines top-line top --once --interval 100ms --timeout 100ms "$logs/small.mlpd" "$logs/small.eventlog"
put doctor
if grep -q '^#define HAVE_SQLITE 1' "$top_builddir/config.h"; then
  put query "$logs/all-v17.mlpd" 'select kind, time_ns, thread, fields, 0.5, null from events limit 20; select * from classes'
else
  leave_out sqlite "is not in this build, so proflog query is not built"
fi
if test -x "$top_builddir/proflog-replay"; then
  put replay --into "$module:alloc,output=$work/replayed.mlpd" "$logs/all-v17.mlpd"
else
  leave_out libffi "is not in this build, so proflog replay is not built"
fi

judged=
if command -v node >/dev/null && test -e "$ajv/node_modules/ajv"; then
  node "$tests/library/validate.mjs" "$ajv" "$schemas" "$batch" >out 2>err || fail "ajv finds what is not valid"
  cat out
  judged=1
else
  leave_out ajv "is not in $ajv; scripts/get-peers gets it"
fi
if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
  python3 "$tests/library/validate.py" "$schemas" "$batch" >out 2>err || fail "jsonschema finds what is not valid"
  cat out
  judged=1
fi
test -n "$judged" || exit 77
