#!/bin/sh
# proflog anonymize: nothing of the texts is left, and all else is as it was.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/cli/eventlog-lines.sh"

# hidden TEXT...: none of these is in the log `hidden`.
hidden ()
{
  for text in "$@"; do
    ! grep -q -a -F -e "$text" hidden || fail "'$text' is still there"
    checks=$((checks + 1))
  done
}

"$proflog" anonymize "$eventlog" >hidden 2>err || fail "status $?"
quiet err
hidden hello 'main thread' a.out +RTS
run 0 dump --strict hidden
quiet err
# What is no text is as it was; sizes of blocks follow the texts.
lines out | sed -e 's/"[a-z]*-[0-9a-f]\{12\}"/""/g' -e 's/block_size=[0-9]*/block_size=/' >got
sed -e 's/"main thread"\|"hello"\|"\.\/a\.out"\|"+RTS"\|"-l"/""/g' -e 's/"616263"/"000000"/' \
  -e 's/block_size=[0-9]*/block_size=/' events >expected
same got expected
says out 'label="label-'
says out 'message="msg-'
says out 'arguments=["arg-'
says out 'identifier="GHC-9.0.2 rts_thr_l"'

# Words follow from the key.
for key in one one two; do
  PROFLOG_KEY=$key "$proflog" anonymize "$eventlog" >>"$key" || fail "status $?"
done
head -c $(($(wc -c <one) / 2)) one >first
tail -c $(($(wc -c <one) / 2)) one >again
same first again
! cmp -s first two || fail "another key makes the same words"
! cmp -s first hidden || fail "a random key makes the same words"
echo one >key
"$proflog" anonymize --key-file key "$eventlog" >again || fail "status $?"
same first again
: >key
run 2 anonymize --key-file key "$eventlog"
says err 'key: the key is empty'
PROFLOG_KEY= run 2 anonymize "$eventlog"
says err 'PROFLOG_KEY: the key is empty'
run 2 anonymize --key one "$eventlog"
says err 'there is no option'

# What is retained.
"$proflog" anonymize --keep args,messages,bytes --keep labels "$eventlog" >kept || fail "status $?"
same kept "$eventlog"
"$proflog" anonymize --keep args "$eventlog" >hidden || fail "status $?"
hidden hello 'main thread'
grep -q -a -F +RTS hidden || fail "the arguments are gone"

# The same text is the same word everywhere: cost centres of one module, in a real profile.
run 0 dump "$logs/ghc-heap-hc.eventlog.gz"
cp out plain
gzip -dc "$logs/ghc-heap-hc.eventlog.gz" | "$proflog" anonymize - >hidden || fail "status $?"
hidden Main MAIN GHC.
run 0 dump --strict hidden
quiet err
for log in plain out; do
  sed -n 's/.* heap-prof-cost-centre .* module="\([^"]*\)".*/\1/p' $log >modules
  awk '!($0 in n) { n[$0] = ++last } { print n[$0] }' modules >$log.modules
done
test "$(sort -u plain.modules | wc -l)" -ge 3 || fail "few modules"
same out.modules plain.modules

# Types are names; kinds of closures and stages of biographies are the runtime's words, but not
# constructors.
gzip -dc "$logs/ghc-heap-hT.eventlog.gz" | "$proflog" anonymize - >hidden || fail "status $?"
hidden Main GHC. Data. Pair
run 0 dump hidden
says out 'label="ARR_WORDS"'
says out 'label="THUNK_0_1"'
gzip -dc "$logs/ghc-heap-hb.eventlog.gz" | "$proflog" anonymize - >hidden || fail "status $?"
run 0 dump hidden
says out 'label="INHERENT_USE"'
gzip -dc "$logs/ghc-heap-hy.eventlog.gz" | "$proflog" anonymize - >hidden || fail "status $?"
run 0 dump hidden
! grep -q 'label="[^n"]' out || fail "a type has its name"
says out 'label="name-'

# An environment, written by hand: VAR=secret9, VAR=other9, and one without a value.
at=$(($(wc -c <"$eventlog") - 2))
{
  head -c $at "$eventlog"
  printf '\000\037\000\000\000\000\000\000\000\001\000\040\000\000\000\000VAR=secret9\000VAR=other9\000ALONE'
  printf '\377\377'
} >environment
run 0 dump environment
says out 'variables=["VAR=secret9","VAR=other9","ALONE"]'
"$proflog" anonymize environment >hidden || fail "status $?"
hidden VAR secret9 other9 ALONE
run 0 dump --strict hidden
sed -n 's/.*variables=//p' out >variables
grep -q '^\["\(env-[0-9a-f]*\)=value-[0-9a-f]*","\1=value-[0-9a-f]*","env-[0-9a-f]*"\]$' variables \
  || fail "the variables are $(cat variables)"

# A log that goes on after its end mark, with some bytes and its second block once more, and one that is
# cut after its second block: the result is whole.
block=$("$proflog" dump "$eventlog" | awk '/block_size=90 / { print $1 }')
{ cat "$eventlog"; printf xyz; tail -c +$((block + 1)) "$eventlog" | head -c 90; printf '\377\377'; } >twice
"$proflog" anonymize -q twice >result || fail "status $?"
run 0 dump --strict result
quiet err
test "$(grep -c ' user-msg ' out)" = 2 || fail "the event after the end mark is not there"
test "$(grep -c ' end$' out)" = 1 || fail "there is not one end mark"
head -c $((block + 90)) "$eventlog" >open
"$proflog" anonymize -q open >result || fail "status $?"
run 0 dump --strict result
quiet err
test "$(grep -c ' end$' out)" = 1 || fail "there is no end mark"
rm -f result

# What makes no sense.
run 2 anonymize --keep everything "$eventlog" -o result
says err "--keep everything: there are args, env, messages, labels, names and bytes"
echo 'no log' >none
run 3 anonymize none -o result
test ! -e result || fail "something was written"
if has ghc-events; then
  ghc-events show hidden >shown 2>err || fail "ghc-events does not read the log"
  says shown 'env-'
fi
done_checks
