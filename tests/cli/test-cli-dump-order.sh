#!/bin/sh
# proflog dump --order time: events of a log of Mono and of an eventlog in one stream.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/eventlog-lines.sh"

# small.mlpd begins 1600000000000 ms after 1970, which is at 12:26:40 on 2020-09-13, and its second
# and third buffer 1 ms and 2 ms later than the first, whose time base is 5000000 ns.  The clock of
# small.eventlog states 5 ns after 12:26:40 at 600000 ns: what is at T there is 599995 ns before that.
cp "$small" mono.mlpd && chmod u+w mono.mlpd && cp "$eventlog" ghc.eventlog || fail "cannot copy"
overwrite mono.mlpd 8 '\0000\0200\0156\0207\0164\0001\0000\0000'
overwrite mono.mlpd 325 '\0200\0215\0133'
overwrite mono.mlpd 400 '\0300\0317\0152'

# Nanoseconds after 12:26:40, log, kind.
cat >expected <<'END'
-199995 ghc.eventlog block-marker
-99995 ghc.eventlog capset-create
5 ghc.eventlog wall-clock-time
10 mono.mlpd metadata-image
11 mono.mlpd metadata-assembly
12 mono.mlpd metadata-domain
13 mono.mlpd metadata-domain
20 mono.mlpd metadata-class
21 mono.mlpd metadata-class
30 mono.mlpd method-jit
40 mono.mlpd method-enter
50 mono.mlpd method-jit
60 mono.mlpd method-enter
70 mono.mlpd alloc
71 mono.mlpd alloc
80 mono.mlpd exception-throw
81 mono.mlpd exception-clause
82 mono.mlpd method-exc-leave
90 mono.mlpd monitor
290 mono.mlpd monitor
900 mono.mlpd method-leave
100005 ghc.eventlog rts-identifier
200005 ghc.eventlog program-args
300005 ghc.eventlog block-marker
300005 ghc.eventlog block-marker
400005 ghc.eventlog create-thread
500005 ghc.eventlog thread-label
600005 ghc.eventlog run-thread
700005 ghc.eventlog create-thread
800005 ghc.eventlog run-thread
900005 ghc.eventlog user-msg
1000005 ghc.eventlog stop-thread
1000100 mono.mlpd metadata-class
1000110 mono.mlpd monitor
1000130 mono.mlpd monitor
1100005 ghc.eventlog unknown
1400005 ghc.eventlog stop-thread
1400105 ghc.eventlog gc-start
1400805 ghc.eventlog gc-end
1400905 ghc.eventlog gc-global-sync
1400955 ghc.eventlog gc-stats-ghc
1401005 ghc.eventlog heap-allocated
1500005 ghc.eventlog run-thread
2000400 mono.mlpd gc-event
2000410 mono.mlpd gc-event
2000420 mono.mlpd gc-move
2000450 mono.mlpd gc-event
2000460 mono.mlpd heap-start
2000460 mono.mlpd heap-object
2000460 mono.mlpd heap-object
2000460 mono.mlpd heap-object
2000490 mono.mlpd heap-end
2000495 mono.mlpd gc-resize
2000500 mono.mlpd gc-event
2400005 ghc.eventlog stop-thread
END

# by_clock FILE: its lines of text like that.
by_clock ()
{
  awk '{
    if (!match ($1, /^2020-09-13T12:26:(39|40)\.[0-9]*Z$/)) { print "no clock: " $0; next }
    ns = substr ($1, 21, 9) + 0
    if (substr ($1, 18, 2) == 39) ns -= 1000000000
    gsub (/"/, "", $2)
    print ns, $2, $6
  }' "$1"
}
run 0 dump --order time mono.mlpd ghc.eventlog
quiet err
by_clock out >got
same got expected
cp out whole
# The logs in another order, compressed, from standard input: only equal times would come otherwise.
run 0 dump --order time ghc.eventlog mono.mlpd
same out whole
gzip -c mono.mlpd >packed && gzip -c ghc.eventlog | "$proflog" dump --order time packed - >out 2>err \
  || fail "status $?"
quiet err
sed -e 's/"packed"/"mono.mlpd"/' -e 's/"-"/"ghc.eventlog"/' out >got
same got whole
# The rest of a line is that of a dump in the order of the file.
run 0 dump mono.mlpd
grep ' gc-move ' out >line
sed -n 's/^[^ ]* "mono.mlpd" \(.* gc-move \)/\1/p' whole >got
same got line

# For programs.
run 0 dump --order time --format json mono.mlpd ghc.eventlog
test "$(wc -l <out)" = 55 || fail "not 55 lines"
sed -n 33p out >line && mv line out
read_json
expect clock 2020-09-13T12:26:40.001000100Z
expect log mono.mlpd
expect item event
expect offset 365
expect thread 0x7f22
expect time_ns 6000100
expect kind metadata-class
run 0 dump --order time --format csv mono.mlpd ghc.eventlog
test "$(head -n 1 out)" = clock,log,offset,size,thread,cap,time_ns,kind,fields || fail "wrong columns"
# Before the first block, the log declares every type that there is.
offset=$("$proflog" dump ghc.eventlog | awk '$4 == "stop-thread" && $2 == "0.001600000" { print $1 }')
says out "2020-09-13T12:26:40.001000005Z,ghc.eventlog,$offset,20,,1,1600000,stop-thread,"
says out '2020-09-13T12:26:40.001000130Z,mono.mlpd,389,3,0x7f22,,6000130,monitor,'
run 0 dump --order time --format csv ghc.eventlog
test "$(head -n 1 out)" = clock,offset,size,thread,cap,time_ns,kind,fields || fail "wrong columns"

# One log alone: in order of time, too.
run 0 dump --order time ghc.eventlog
sed 's/ "ghc.eventlog"//' whole | grep -v mono.mlpd >got
same out got

# What is chosen is chosen from each log; times are those of the axis, which begins with the eventlog's clock.
run 0 dump --order time --filter 'hello|Node' mono.mlpd ghc.eventlog
grep -E '"hello"|Small.Node' whole >got
same out got
run 0 dump --order time --time-range 1.5ms~2ms mono.mlpd ghc.eventlog
grep -E '"ghc.eventlog" .* 0\.001[56789]|"mono.mlpd" .* 0\.0010001' whole >got
same out got
run 0 dump --order time --time-range 1.72ms~2.1ms mono.mlpd ghc.eventlog
grep -E '"ghc.eventlog" .* 0\.0020' whole >got
same out got
says err "mono.mlpd: warning: nothing was selected: none of 32 events"
run 3 dump --order time --cap 1 mono.mlpd ghc.eventlog
says err "it has no capabilities"
grep -E '"ghc.eventlog" +[0-9]+ [0-9.]+ 1 |cap=1$' whole >got
same out got
run 0 dump --order time --thread 0x7f22 mono.mlpd
test "$(wc -l <out)" = 3 || fail "not the three events of the thread"
run 0 dump --order file mono.mlpd ghc.eventlog
cp out files
run 0 dump mono.mlpd ghc.eventlog
same out files

# A log that does not state the time of day, or is none, is left out.
"$proflog" cut --no-event wall-clock-time ghc.eventlog >timeless || fail "status $?"
run 3 dump --order time mono.mlpd timeless
says err "timeless: it has no time of day"
grep mono.mlpd whole >got
same out got
cp mono.mlpd unset && overwrite unset 8 '\0000\0000\0000\0000\0000\0000'
run 3 dump --order time unset ghc.eventlog
says err "unset: its header has no time of day"
run 3 dump --order time nothing-there mono.mlpd
same out got
run 3 dump --order time /dev/null
run 2 dump --order size mono.mlpd
says err "there are time and file"

# Damage is reported once.
head -c -40 ghc.eventlog >cut.eventlog
head -c 450 mono.mlpd >cut.mlpd
run 4 dump --strict --order time cut.mlpd cut.eventlog
test "$(grep -c 'cut.mlpd: warning: the log ends' err)" = 1 || fail "the Mono log's end is not reported once"
test "$(grep -c 'cut.eventlog: warning: the log ends' err)" = 1 || fail "the eventlog's end is not reported once"
# Of the eventlog the last two of 23 events are missing, and of the Mono log the last nine of 32.
test "$(wc -l <out)" = 44 || fail "not what is left"
says out '0.002000410 0x7f11 gc-event event=start'

# Logs that are longer than what is handed over at once.
run_into both 0 dump -q --order time "$logs/stock-domains.mlpd.gz" "$logs/ghc-heap-hb.eventlog.gz"
sum=0
for log in stock-domains.mlpd.gz ghc-heap-hb.eventlog.gz; do
  run 0 dump "$logs/$log"
  # Names are known earlier in one or the other.
  grep -v -E ' (file-header|buffer|header|end)( |$)' out | awk '{ print $1, $2, $3, $4 }' \
    | sort >expected
  "$proflog" dump -q --order time "$logs/$log" | awk '{ print $2, $3, $4, $5 }' | sort >got
  same got expected
  sum=$((sum + $(wc -l <expected)))
done
test "$(wc -l <both)" = $sum || fail "both logs have $(wc -l <both) events, each by itself $sum"
# But for names, which the stock profiler writes late, and samples, all is in order.
grep -v -E ' (method-jit|sample-hit) ' both | cut -d ' ' -f 1 >clocks
sort -c clocks || fail "events are not in order"
done_checks
