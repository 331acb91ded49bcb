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
base=$url

options=
# push STATUS [ARGUMENT...]: with $options.
push ()
{
  push_status=$1
  shift
  # shellcheck disable=SC2086
  "$proflog" push --to clickhouse --url "$base" --retry 3s $options "$@" "$small" >out 2>err </dev/null
  status=$?
  test "$status" = "$push_status" || { cat out err; fail "push $*: status $status, not $push_status"; }
}

# refused TEXT RULE...: with these rules, `push` ends with this text, in one line.
refused ()
{
  text=$1
  shift
  by_rules "$@"
  push 3
  says err "$text"
  test "$(wc -l <err)" = 1 || { cat err; fail "$text: several lines"; }
}

tab=$(printf '\t')
# asked TEXT: how many statements have it, since the rules were set.
asked ()
{
  grep -c -e "$1" requests
}

# by_rules RULE...
by_rules ()
{
  : >requests
  : >rules
  test $# = 0 || printf '%b\n' "$@" >rules
}

# Two threads, and objects of two types.
options='--tables threads,allocations_*'
push 0
says out '4 rows of 2 tables'
options=
refused "$url/: its answer is too long" 'system.columns\t200\tx20000000'
refused "$url/ answered with status 400: no such table" 'log_row.*FORMAT\t400\tno such table'
refused "'' is no number" 'log_row.*FORMAT\t503\tbusy'
refused "'many' is no number" 'log_row.*FORMAT\t503\tbusy' 'SELECT count\t200\tmany'
refused "$url/ answered with status 503: busy" 'log_row.*FORMAT\t503\tbusy' 'SELECT count\t200\t0'
refused 'that may be incomplete are not deleted in time' 'log_row.*FORMAT\t503\tbusy' 'system.mutations\t200\t3' 'SELECT count\t200\t1'
grep -q '^ALTER TABLE .* DELETE WHERE ' requests || fail 'no batch that is there in part was deleted'

# ---- what is tried again ----

# Each by the statement for another table.
by_rules
push 0
sed -n 's/^CREATE TABLE IF NOT EXISTS .proflog.\..\([a-z_]*\).*/\1/p' requests | grep -v ledger >tables
{
  for status in 408 425 429 502 503 504; do printf '%s\t\n' $status; done
  for code in 159 202 209 210 216 236 241 252 394; do printf '500\tCode: %s. DB\n' $code; done
} >answers
head -n "$(wc -l <answers)" tables | paste - answers | sed 's/\t/. .*ENGINE\t1*/; s/^/CREATE TABLE .*[.]./' >temporary
: >requests
cp temporary rules
push 0
while IFS=$tab read -r statement answer; do
  test "$(asked "$statement")" = 2 || fail "after $answer the statement is not tried again"
done <temporary
options='--tables figures'
by_rules
push 0
rows=$(sed -n 's/.*: \([0-9]*\) rows of 1 tables.*/\1/p' out)
for answer in '500\tCode: 60. DB' '400\tCode: ' '302\t\001there' '507\t'; do
  text=$(printf '%b' "$answer" | sed 's/\t/: /; s/\o001/ /; s/507: $/507: nothing else/')
  refused "$url/ answered with status $text" "system.columns\t1*$answer"
  test "$(asked system.columns)" = 1 || fail "after $answer the statement is tried again"
done
base=http://127.0.0.1:99999
refused "$base/: URL"
base=$url

# ---- each statement can fail ----

shown="$url/ answered with status 400: no"
for statement in 'CREATE DATABASE' 'CREATE TABLE .*ledger' 'SELECT table_name' 'INSERT .*writer,at' \
  'CREATE TABLE .*figures' 'INSERT .*figures'; do
  refused "$shown" "$statement\t400\tno"
done
options='--tables figures --cluster fleet'
for statement in 'CREATE TABLE .*ENGINE = Distributed' 'CREATE TABLE .*figures. AS'; do
  refused "$shown" "$statement\t400\tno"
done
# That a log is known is read before anything is sent, of all servers.
options="--tables figures --cluster fleet --url $url/b"
for server in / /b/; do
  refused "$url$server answered with status 400: no" "^$server SELECT table_name\t400\tno"
  test "$(asked INSERT)" = 0 || fail "rows are sent although $server cannot be asked"
done

# ---- a push that was interrupted ----

# As docs/fleet.md has it.
version=$("$proflog" --version)
ours="SELECT table_name\t200\t\\\\t$version"
columns='system.columns\t200\tthis is no column\\nfigures\\tlog_id\\nfigures\\tkey'
options='--tables figures'

# The server that has a part of the log gets the rest.
by_rules "^/b/ SELECT table_name\t200\tno table\\\\n\\\\t$version" "^/ INSERT\t400\twrong"
push 0 --cluster fleet --url "$url/b"
# Of a table that is there in part the batches are counted, and only the others sent.
by_rules "$ours" "$columns" "SELECT log_batch\t200\tno batch\\\\nx\\\\t1\\\\n0\\\\tx\\\\n0\\\\t$rows"
push 0
says out ': 0 rows of 1 tables'
test "$(asked 'INSERT .*figures')" = 0 || fail 'a batch is sent again'
test "$(asked 'ADD COLUMN .value.')" = 1 || fail 'a column of a newer proflog is not added'
test "$(asked 'ADD COLUMN .key.')" = 0 || fail 'a column is added that is there'
# An incomplete one is deleted.
by_rules "$ours" "$columns" 'SELECT log_batch\t200\t0\\t1' 'system.mutations\t200\t0'
push 0
says out ": $rows rows of 1 tables"
test "$(asked 'DELETE WHERE log_id = .* AND log_batch = 0')" = 1 || fail 'an incomplete batch is not deleted'
# One that arrived although the server did not answer is not sent again.
by_rules 'INSERT .*figures\t1*503\tbusy' "SELECT count\t200\t$rows"
push 0
test "$(asked 'INSERT .*figures')" = 1 || fail 'a batch that arrived is sent again'
by_rules 'INSERT .*figures\t1*503\tbusy' 'SELECT count\t200\t0'
push 0
test "$(asked 'INSERT .*figures')" = 2 || fail 'a batch that did not arrive is not sent again'
# What another version began is deleted.
by_rules 'SELECT table_name\t200\t\\tproflog 0.1' "$columns" 'system.mutations\t1*200\t1' 'system.mutations\t200\t0'
push 0
test "$(asked 'DELETE WHERE log_id = .[0-9a-f]*.$')" = 1 || fail 'the rows of another version are not deleted'
test "$(asked system.mutations)" = 2 || fail 'the server was still deleting'
# A table that is finished is not sent.
by_rules "SELECT table_name\t200\t\\\\t$version\\\\nfigures\\\\t$version"
push 0
says out 'was sent before'
test "$(asked INSERT)" = 0 || fail 'a table is sent again'
for rule in 'SELECT log_batch' 'ADD COLUMN' 'DELETE WHERE' 'system.mutations' 'INSERT .*writer,at'; do
  refused "$shown" "$rule\t400\tno" "$ours" "$columns" 'SELECT log_batch\t200\t0\\t1' 'system.mutations\t200\t0'
done
refused "$shown" 'DELETE WHERE\t400\tno' 'SELECT table_name\t200\t\\tproflog 0.1' "$columns"

# ---- addresses and credentials ----

printf 'user=writer\n' >credentials
chmod 600 credentials
by_rules
base=$url///
push 0 --credentials credentials
test "$(asked '^POST /$')" -gt 1 || fail 'no request has the address without its slashes'
test "$(asked '^POST //')" = 0 || fail 'an address has several slashes'
test "$(asked "^Basic $(printf writer: | base64)")" -gt 1 || fail 'no request has the user'
# A statement of SQLite fails: nearly all of its allocations were done.
if test "${SANITIZER:-no}" = no; then
  . "$tests/torture/lib.sh"
  by_rules
  mode=once kind=malloc fails_from=libsqlite3
  with_failure 0 push --to clickhouse --url "$base" "$small"
  test "$status" = 0 || fail "without a failure: $status"
  says_at $(($(calls_counted) - 20)) 3 "proflog push: $small: [a-z_]*: out of memory" \
    push --to clickhouse --url "$base" "$small"
fi

echo "$checks checks"
