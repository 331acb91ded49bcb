#!/bin/sh
# help, and whatever is wrong: one clear line, and the program runs on as if unprofiled.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "help without a program"
host_run 0 proflog:help
quiet
for option in help nodefaults alloc calls gc gcmove exception monitor heapshot \
  heapshot-on-shutdown maxframes calldepth callspec output spool memory buffer overflow \
  patience zip flush control paused arm sync; do
  grep -qw -- "$option" "$work/out" || fail "help does not mention $option"
done

begin "help with a program"
host_run 0 "proflog:output=$log,help,alloc" "$scenarios/exit-7.scn"
quiet
grep -qw maxframes "$work/out" || fail "no help"
! grep -q "the program ran" "$work/out" || fail "the program ran"
[ ! -e "$log" ] || fail "a log"

# refuse OPTION PATTERN: it is refused with one line that matches.
refuse () {
  begin "refused: $1"
  host_run 7 "proflog:output=$log,$1" "$scenarios/exit-7.scn"
  module_was_loaded
  one_line "$2"
  grep -qx "the program ran" "$work/out" || fail "the program did not run"
  grep -q "^fired.monitor_contention 1$" "$truth" || fail "the program fired nothing"
  ! grep -q "^delivered.*[1-9]$" "$truth" || fail "something is recorded nevertheless"
  [ ! -e "$log" ] || fail "there is a log"
}

refuse nosuch nosuch
refuse allo allo
refuse nohelp nohelp
refuse nozip nozip
refuse alloc,gc,nosuch nosuch
refuse gc=1 gc
refuse noalloc=1 alloc
refuse alloc=0 alloc=0
refuse alloc=x alloc=x
refuse format=2 format=2
refuse sample=0 sample=0
refuse sample-real=x sample-real=x
refuse nosample=5 sample
refuse counter,format=1 counter
refuse format format
refuse format=1,gcroot gcroot
refuse alloc=64k,format=1 alloc=SIZE
refuse zip=yes zip
refuse heapshot-on-shutdown=1 heapshot-on-shutdown
refuse heapshot=0ms heapshot=0ms
refuse heapshot=0gc heapshot=0gc
refuse heapshot=5 heapshot=5
refuse heapshot=ms heapshot=ms
refuse heapshot=-5ms heapshot=-5ms
refuse heapshot=5sec heapshot=5sec
refuse heapshot=5ms1 heapshot=5ms1
refuse heapshot=4294967296ms heapshot=4294967296ms
refuse maxframes maxframes
refuse maxframes= maxframes
refuse maxframes=33 maxframes=33
refuse maxframes=-1 maxframes=-1
refuse maxframes=8x maxframes=8x
refuse maxframes=99999999999999999999 maxframes
refuse calldepth calldepth
refuse calldepth=deep calldepth=deep
refuse calldepth=4294967296 calldepth
refuse callspec callspec
refuse callspec=M:Main Main
refuse output output
refuse output= output
refuse spool= spool
for value in memory=512k memory=2000G memory=x memory=5X memory=5Mx buffer=32k buffer=100k buffer=32M \
  overflow=no patience=5 patience=4000s patience=x; do
  refuse "$value" "$value"
done
refuse output=+ output
refuse "'alloc" alloc
refuse '"alloc,gc' alloc

begin "a very long option"
host_run 7 "proflog:$(head -c 100000 /dev/zero | tr '\0' x)" "$scenarios/exit-7.scn"
module_was_loaded
[ "$(wc -l <"$work/err")" = 1 ] || fail "not one line"

begin "empty options and a name alone"
cd "$work"
host_run 7 proflog,, "$scenarios/exit-7.scn" || true
host_run 7 proflog "$scenarios/exit-7.scn"
quiet
[ -s output.mlpd ] || fail "no output.mlpd"
rm output.mlpd

begin "the program's own status without a profile"
status=0
"$host" "$scenarios/exit-7.scn" >"$work/out" || status=$?
[ "$status" = 7 ] || fail "exit status $status"
