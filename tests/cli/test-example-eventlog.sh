#!/bin/sh
# The example of the library: what it prints and writes of an eventlog.
. "${srcdir:-.}/tests/cli/lib.sh"
example=$top_builddir/examples/rewrite-eventlog
eventlog=$logs/small.eventlog

"$example" "$eventlog" copy >out 2>err || fail "the example fails"
quiet err
says out '1 run-thread size=4 description="a thread begins to run"'
says out '300 unknown size=variable description="something new"'
says out '0.001300000 0 create-thread thread=2'
says out '0.000700000 - rts-identifier capset=0 identifier="GHC-9.0.2 rts_thr_l"'

# The copy is whole, and all but the message is in it: 17 bytes, "hello" after its head.
run 0 dump --strict "$eventlog"
grep -v -e ' user-msg ' -e ' block-marker ' out | sed 's/^ *[0-9]* //' >expected
run 0 dump --strict copy
quiet err
grep -v ' block-marker ' out | sed 's/^ *[0-9]* //' >copied
same copied expected
test $(($(wc -c <"$eventlog") - $(wc -c <copy))) = 17 || fail "the copy is not 17 bytes shorter"

# Blocks alone.
"$example" "$eventlog" blocks --blocks >out 2>err || fail "the example fails"
sed -n 's/^[0-9.]* - //p' out >blocks
cat >expected <<'END'
block-marker block_size=267 end_time=3100000 cap=0
block-marker block_size=90 end_time=3100000 cap=1
block-marker block_size=133 end_time=3200000 cap=65535
END
same blocks expected

# No log.
echo no log at all >no-log
"$example" no-log copy >out 2>err && fail "the example takes no log"
says err 'not a GHC eventlog'
done_checks
