#!/bin/sh
# What `proflog push` refuses before it sends anything: one line with the reason.
. "${srcdir:-.}/tests/push/lib.sh"
need_built CURL proflog-push

# refused STATUS TEXT ARGUMENT...: one line with this text.
refused ()
{
  expected_status=$1 text=$2
  shift 2
  "$proflog" push "$@" >out 2>err </dev/null
  status=$?
  test "$status" = "$expected_status" || { cat err; fail "push $*: status $status, not $expected_status"; }
  test "$(wc -l <err)" = 1 || { cat err; fail "push $*: not one line"; }
  says err "$text"
}

server=--url=http://127.0.0.1:9

refused 2 '--to is needed: clickhouse, pyroscope, parca or otlp' "$small"
refused 2 '--url is needed' --to clickhouse "$small"
no_effect='has no effect without'
refused 2 "--every $no_effect --to pyroscope, parca or otlp" --to clickhouse $server --every 10s "$small"
refused 2 "--cost $no_effect --to pyroscope, parca or otlp" --to clickhouse $server --cost alloc "$small"
refused 2 "--queue $no_effect --watch" --to clickhouse $server --queue . "$small"
refused 2 "--queue-size $no_effect --watch" --to clickhouse $server --queue-size 2M "$small"
refused 2 "--tables $no_effect --to clickhouse" --to otlp $server --tables all "$small"
refused 2 "--database $no_effect --to clickhouse" --to parca $server --database d "$small"
refused 2 "--cluster $no_effect --to clickhouse" --to otlp $server --cluster c "$small"
refused 2 "--tenant $no_effect --to pyroscope" --to otlp $server --tenant t "$small"
refused 2 '--every sends the processor time of running programs' --to otlp $server --every 10s --cost alloc "$small"
refused 2 '--cluster is needed for several servers' --to clickhouse $server --url=http://127.0.0.1:10 "$small"
refused 2 '--queue-size 1023K: a size of at least 1M is needed;' --to clickhouse $server --queue-size 1023K "$small"
refused 2 'no log given' --to otlp $server
refused 2 '--watch sends the logs in a folder' --to clickhouse $server --watch . "$small"
refused 2 'standard input cannot be sent' --to otlp $server -
refused 2 'http://HOST:PORT or https://HOST:PORT is needed' --to otlp --url=ftp://host "$small"
refused 2 'no user and no password can be in it' --to otlp --url=http://me:secret@host "$small"
refused 2 "a host is needed, and there can be no '?'" --to otlp --url=http:// "$small"
refused 2 "a host is needed, and there can be no '?'" --to otlp '--url=http://host/?x' "$small"
refused 2 '--label 1=x: NAME=VALUE is needed' --to otlp $server --label 1=x "$small"
refused 2 '--label version: NAME=VALUE is needed' --to otlp $server --label version "$small"
refused 2 'a name of letters, digits and' --to clickhouse $server --database 'a b' "$small"
refused 2 '--tables: no table is named' --to clickhouse $server --tables= "$small"
refused 2 '--tables: there is no table nothing' --to clickhouse $server --tables nothing "$small"
refused 3 'No such file or directory' --to otlp $server none.mlpd

mkfifo fifo.mlpd
refused 3 'fifo.mlpd: it is no regular file' --to otlp $server fifo.mlpd
cp "$small" written.mlpd
exec 5>>written.mlpd
refused 3 "written.mlpd: process $$ is still writing it" --to otlp $server written.mlpd
exec 5>&-

# Credentials: of a file that others cannot read, or of the environment; never in a message.
cat >secret <<'END'
# of the server
user=me
password = hidden
END
refused 3 'other users can read it: chmod 600 is needed' --to otlp $server --credentials secret "$small"
chmod 600 secret
refused 3 'secret: line 3: user=, password=, token= or key= is needed' --to otlp $server --credentials secret "$small"
! grep -q hidden err || fail 'the password is in the message'
refused 3 'none: No such file or directory' --to otlp $server --credentials none "$small"
mkdir -m 700 folder
refused 3 'folder: ' --to otlp $server --credentials folder "$small"
for key in '' 'key=\n'; do
  printf 'user=writer\npassword=s3cret\n%b' "$key" >keyless
  chmod 600 keyless
  refused 2 '--anonymize needs a key of at least' --to clickhouse $server --credentials keyless --anonymize "$small"
done
PROFLOG_PUSH_TOKEN='hidden
token' && export PROFLOG_PUSH_TOKEN
refused 3 'PROFLOG_PUSH_TOKEN: it has more than one line' --to otlp $server "$small"
PROFLOG_PUSH_TOKEN=
refused 3 'PROFLOG_PUSH_TOKEN: the token is empty' --to otlp $server "$small"
unset PROFLOG_PUSH_TOKEN

# What is sent without texts is a copy in a temporary file.
printf 'user=writer\npassword=s3cret\nkey=a key of the test\n' >keyed
chmod 600 keyed
TMPDIR=$work/none && export TMPDIR
refused 3 "proflog push: $small: $work/none/proflog-push-" --to otlp $server --credentials keyed --anonymize "$small"
grep -q '/none/proflog-push-[A-Za-z0-9]\{6\}: No such file or directory$' err || fail "$(cat err)"
unset TMPDIR
# Where gcov counts, its own messages are longer than the file of the messages may be.
if test "${SANITIZER:-no}" = no; then
  (
    trap '' XFSZ
    ulimit -f 1
    "$proflog" push --to otlp $server --credentials keyed --anonymize "$logs/all-v17.mlpd" >out 2>err
  )
  status=$?
  test "$status" = 3 || fail "a copy that is too large: status $status"
  grep -q '^proflog anonymize: cannot write .*/proflog-push-[A-Za-z0-9]\{6\}: File too large$' err || fail "$(cat err)"
  test "$(tail -n 1 err)" = "proflog push: $logs/all-v17.mlpd: its texts cannot be replaced" || fail "$(cat err)"
fi

# The queue of logs that wait.
mkdir watched
refused 3 "proflog push: $small/queue: Not a directory" --to clickhouse $server --watch watched --queue "$small/queue"
refused 3 'nothing is no folder' --to clickhouse $server --watch nothing
refused 3 'is no folder' --to clickhouse $server --watch "$small"


# The folder of the logs that wait is gone: nothing listens at the server's port.
"$proflog" push --to otlp $server --retry 100ms --watch watched >out 2>err &
watch=$!
trap 'kill $watch 2>/dev/null; rm -rf "$work"' EXIT
wait_for rmdir watched/.proflog-push 2>/dev/null
touch watched/.proflog-push
cp "$small" new
touch -d '1 minute ago' new
mv new watched/new.mlpd
wait_for grep -q '^proflog push: watched/new.mlpd: it is not kept: watched/.proflog-push/[0-9-]*watched%2Fnew.mlpd: Not a directory$' err
kill -TERM $watch
wait $watch
status=$?
test "$status" = 3 || fail "a log that is not kept: status $status"
checks=$((checks + 4))

echo "$checks checks"
