#!/bin/sh
# What commands say if one call of the system fails: the line and the status, where no file and no program brings
# about the same.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/torture/lib.sh"
mode=once
use_runtime_dir
export PROFLOG_KEY="a key of the test"

# failing KIND [FUNCTION [FILE]]: the calls of which one fails.
failing ()
{
  kind=$1 fails_only=${2-} fails_from=${3-}
}

cp "$small" log.mlpd
cp "$logs/small.eventlog" log.eventlog
printf '#!/bin/sh\n' >program && chmod +x program
no_space='No buffer space available' no_access='Permission denied' io='Input/output error' no_memory='Cannot allocate memory'
again='Resource temporarily unavailable'

# ---- logs that are read ----

# At its beginning, in the first way through the log or in the second, and where more would follow.
failing read
for format in mlpd eventlog; do
  for half in 0~50% 50%~; do
    run 0 cut -q --time-range $half log.$format -o "${half%%~*}.$format"
  done
  says_once 3 "proflog: log.$format: reading it at offset 0 failed ($io)" show log.$format
  for offset in 0 "$(wc -c <log.$format)"; do
    says_once 3 "proflog: log.$format: reading it at offset $offset failed ($io)" anonymize -q \
      log.$format -o made
  done
  for offset in 0 "$(wc -c <50%.$format)"; do
    says_once 3 "proflog: 50%.$format: reading it at offset $offset failed ($io)" merge -q 0.$format 50%.$format -o made
  done
done
says_once 3 "proflog: log.eventlog: reading it at offset 0 failed ($io)" convert -q --to mono log.eventlog -o made
test ! -e made || fail 'a part of a log is left'

# ---- the index ----

gzip -dc "$logs/stock-calls.mlpd.gz" >calls.mlpd
for call in 'rename rename' 'rename fchmod'; do
  # shellcheck disable=SC2086 # two words
  failing $call
  says_at 1 0 "proflog info: calls.mlpd.index: $no_access" info --index calls.mlpd
done
failing write write proflog
says_at 1 0 'proflog info: calls.mlpd.index: No space left on device' info --index calls.mlpd
set -- calls.mlpd.*
test "$1" = 'calls.mlpd.*' || fail "left over: $*"

# ---- live logs ----

failing stat fstat proflog
says_at 1 3 "proflog follow: log.mlpd: $no_access" follow -q log.mlpd
failing read read
says_once 3 "proflog follow: log.mlpd: $io" follow -q --timeout 1ms log.mlpd
failing socket socket
says_at 1 3 "proflog follow: unix-listen:socket: $no_space" follow -q --timeout 1ms unix-listen:socket
failing rename chmod
says_at 1 3 "proflog follow: unix-listen:socket: $no_access" follow -q --timeout 1ms unix-listen:socket
failing socket listen
says_at 1 3 "proflog follow: unix-listen:socket: $no_space" follow -q --timeout 1ms unix-listen:socket
test ! -e socket || fail 'the socket is left'

gzip -c log.mlpd >packed.mlpd
failing malloc '' libz.so
says_once 3 "proflog follow: packed.mlpd: no memory to inflate it" follow -q --timeout 1ms packed.mlpd

# ---- results ----

# Where the network has a file, the last that was written fails when it is closed.
failing fclose
says_once 3 "proflog info: cannot write made: $io" info -o made log.mlpd
set -- made*
test "$1" = 'made*' || fail "left over: $*"

# ---- threads, processes, memory ----

failing pthread_create
says_at 1 3 "proflog dump: cannot create a thread: $again" dump --order time log.mlpd log.eventlog
failing fork pipe2
says_at 1 2 "proflog run: cannot run './program': $again" run ./program
failing malloc '' libc.so
says_once 3 "proflog info: cannot write made: $no_memory" info -o made log.mlpd
set -- made*
test "$1" = 'made*' || fail "left over: $*"

# ---- the writer of eventlogs ----

# A FIFO has room for a page, which is less than the header, and there is no memory for the rest.
mkfifo fifo
exec 3<>fifo
head -c 61440 /dev/zero >&3
n=0 status=
until test "$status" = 1 && test "$(sort -u err)" = 'header: the log cannot be written'; do
  n=$((n + 1))
  test "$n" -le 10 || fail 'no allocation that fails ends the writer of eventlogs'
  test "$status" != 124 || head -c 4096 <&3 >/dev/null
  status=0
  LD_PRELOAD=$library PROFLOG_FAIL_CALLS=malloc PROFLOG_FAIL_AT=$n PROFLOG_FAIL_FROM=libproflog-eventlog \
    PROFLOG_FAIL_PROGRAM=post-all timeout 1 "$top_builddir/tests/eventlog/post-all" fifo >out 2>err || status=$?
done
exec 3>&-
checks=$((checks + 1))

# ---- programs of their own ----

if test -x "$top_builddir/proflog-serve"; then
  failing syscall getrandom
  says_at 1 3 'proflog serve: no random numbers: Operation not permitted' serve log.mlpd
  failing pthread_create '' libmicrohttpd
  says_at 1 3 'proflog serve: the server does not start' serve log.mlpd
  failing pthread_create '' serve
  says_at 1 3 'proflog serve: cannot create a thread that watches processes' serve --all
fi
if test -x "$top_builddir/proflog-push"; then
  server=--url=http://127.0.0.1:9
  failing malloc '' libcurl
  says_once 3 'proflog push: log.mlpd: libcurl cannot be used' push --to otlp $server --retry 1ms log.mlpd
  failing read read push
  says_once 3 "proflog push: log.mlpd: $io" push --to otlp $server --retry 1ms log.mlpd
fi
if test -x "$top_builddir/proflog-query"; then
  failing malloc '' libsqlite3
  says_at 200 3 'proflog query: SQLite: out of memory' query log.mlpd 'SELECT 1'
  # Nearly all of it was written.
  with_failure 0 query --parquet lake log.mlpd
  says_at $(($(calls_counted) - 500)) 3 'proflog query: [a-z]*: out of memory' query --parquet lake2 log.mlpd
fi

done_checks
