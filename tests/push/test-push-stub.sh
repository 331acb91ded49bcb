#!/bin/sh
# Answers that no server of ClickHouse gives in other tests: `proflog push` states what is wrong, and does not go on.
. "${srcdir:-.}/tests/push/lib.sh"
test -x "$top_builddir/proflog-push" || { leave_out LIBCURL 'proflog push is not built'; exit 77; }
need python3

: >rules
: >requests
python3 "$tests/push/clickhouse-stub.py" "$work/port" "$work/rules" "$work/requests" >stub.out 2>&1 &
watched=$!
trap 'kill $watched 2>/dev/null; rm -rf "$work"' EXIT
wait_for test -s port
url=http://127.0.0.1:$(cat port)

# push STATUS [ARGUMENT...]
push ()
{
  push_status=$1
  shift
  "$proflog" push --to clickhouse --url "$url" --retry 3s "$@" "$small" >out 2>err </dev/null
  status=$?
  test "$status" = "$push_status" || { cat out err; fail "push $*: status $status, not $push_status"; }
}

# refused TEXT RULE...: with these rules, `push` ends with this text, in one line.
refused ()
{
  text=$1
  shift
  printf '%b\n' "$@" >rules
  push 3
  says err "$text"
  test "$(wc -l <err)" = 1 || { cat err; fail "$text: several lines"; }
}

push 0
says out '118 rows of 19 tables'
refused "$url/: its answer is too long" 'system.columns\t200\tx20000000'
refused "$url/ answered with status 400: no such table" 'log_row.*FORMAT\t400\tno such table'
refused "'' is no number" 'log_row.*FORMAT\t503\tbusy'
refused "'many' is no number" 'log_row.*FORMAT\t503\tbusy' 'SELECT count\t200\tmany'
refused "$url/ answered with status 503: busy" 'log_row.*FORMAT\t503\tbusy' 'SELECT count\t200\t0'
refused 'that may be incomplete are not deleted in time' 'log_row.*FORMAT\t503\tbusy' 'system.mutations\t200\t3' 'SELECT count\t200\t1'
grep -q '^ALTER TABLE .* DELETE WHERE ' requests || fail 'no batch that is there in part was deleted'
echo "$checks checks"
