#!/bin/sh
# help, and whatever is wrong: one clear line, and the program keeps running as if unprofiled.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "help without a program"
host_run 0 proflog:help
quiet
for option in help nodefaults alloc calls gc gcmove exception monitor heapshot \
  heapshot-on-shutdown maxframes calldepth callspec output crash-buffer memory buffer \
  overflow block-timeout zip flush control paused prepare reannounce; do
  grep -qw -- "$option" "$work/out" || fail "help does not mention $option"
done
for option in spool patience arm sync; do
  ! grep -q -- "^  $option" "$work/out" || fail "help lists $option, an earlier name"
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
for calls in 10 10us+10us 10us+ auto+auto exact auto+exact 10us+fast 0us 3601s 61min -1us x; do
  refuse calls=$calls "calls=$calls: not TIME, auto, TIME+auto or TIME+exact with a TIME from 1ns to 3600s, such as 10us"
done
refuse nocalls=10us "option 'nocalls' takes no value"
refuse calls=10us,format=1 "format=1 cannot record calls=TIME; use format=17 or auto"
refuse calls=auto,format=1 "format=1 cannot record calls=auto; use format=17 or auto"
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
refuse crash-buffer= crash-buffer
refuse spool= spool=
for value in memory=512k memory=2000G memory=x memory=5X memory=5Mx buffer=32k buffer=100k buffer=32M \
  overflow=no block-timeout=5 block-timeout=4000s block-timeout=x patience=x reannounce=25h \
  prepare=nothing arm=nothing; do
  refuse "$value" "$value"
done
refuse output=+ output
refuse "'alloc" alloc
refuse '"alloc,gc' alloc

# accepted OPTION: it records, and nothing is printed.
accepted () {
  begin "accepted: $1"
  host_run 7 "proflog:output=$log,$1" "$scenarios/exit-7.scn"
  quiet
  [ -s "$log" ] || fail "no log"
}

for value in crash-buffer=none block-timeout=5s reannounce=5min prepare=alloc+calls; do
  accepted "$value"
done

begin "earlier names"
for value in spool=none patience=5s sync=5min arm=alloc+calls; do
  accepted "$value"
done

begin "names of the stock profiler"
for value in gcalloc nogcalloc counters nocounters legacy nolegacy heapshot=ondemand sampling-real=10 \
  nodefaults,gcalloc nodefaults,exception,monitor,gc,gcmove,gcroot,gchandle,finalization,counter,jit; do
  accepted "$value"
done
refuse report "there is no option 'report': .*'proflog report LOG'"
refuse port=0 "there is no option 'port': .*'proflog ctl PID heapshot'"
refuse hsmode=10ms "there is no option 'hsmode': write heapshot=Xms"
refuse maxsamples=9 "there is no option 'maxsamples': leave it out"
refuse time=fast "there is no option 'time': leave it out"
refuse coverage "there is no option 'coverage': write calls"
refuse debug "there is no option 'debug': leave it out"

# What the installed stock profiler lists is known, or has a line of its own.
if command -v mono >/dev/null; then
  tab=$(printf '\t')
  mono --profile=log:help /dev/null 2>/dev/null \
    | sed -n -e "s/^$tab\(\[no\]\)\{0,1\}\([a-z][a-z-]*=\{0,1\}\).*/\2/p" -e "s/^$tab  *\([a-z]*\)$/\1/p" \
    | sort -u >"$work/stock"
  [ "$(grep -cx -e exception -e gcalloc -e port= -e report "$work/stock")" = 4 ] || fail "what does the stock profiler list?"
  for name in $(grep -vx -e help -e output= "$work/stock"); do
    begin "the stock profiler's $name"
    case $name in *=) name=${name}1 ;; esac
    host_run 7 "proflog:output=$log,$name" "$scenarios/exit-7.scn"
    ! grep -q -e "try 'help'" -e 'did you mean' "$work/err" || fail "$name is not known"
    [ -e "$log" ] || one_line "^proflog: there is no option '[a-z]*': "
  done
fi

begin "the nearest name"
refuse alocs "there is no option 'alocs'; did you mean 'alloc'?"
refuse heapshto=5gc "there is no option 'heapshto'; did you mean 'heapshot'?"
refuse nogcmov "there is no option 'nogcmov'; did you mean 'nogcmove'?"
refuse something-else "there is no option 'something-else' (try 'help')"

begin "a very long option"
host_run 7 "proflog:$(head -c 100000 /dev/zero | tr '\0' x)" "$scenarios/exit-7.scn"
module_was_loaded
[ "$(wc -l <"$work/err")" = 1 ] || fail "not one line"

begin "empty options and a name alone"
cd "$work" || exit
for description in proflog proflog,, proflog:,,; do
  host_run 7 "$description" "$scenarios/exit-7.scn"
  quiet
  [ -s output.mlpd ] || fail "$description: no output.mlpd"
  rm output.mlpd
done

begin "a file that is no log"
echo something of value >output.mlpd
cp output.mlpd "$work/before"
for description in proflog "proflog:output=$work/output.mlpd"; do
  host_run 7 "$description" "$scenarios/exit-7.scn"
  one_line "is there and is no log; it is not overwritten"
  same output.mlpd "$work/before"
done
# Logs are, also compressed ones, and eventlogs.
for options in zip "" format=eventlog "format=eventlog,zip" ""; do
  rm -f "$work/other"
  host_run 7 "proflog:output=$work/other,$options" "$scenarios/exit-7.scn"
  cp "$work/other" output.mlpd
  host_run 7 proflog "$scenarios/exit-7.scn"
  quiet
  [ "$(od -An -N4 -tx1 output.mlpd | tr -d ' ')" = 015a504d ] || fail "$options: the log was not overwritten"
done
rm output.mlpd

begin "the program's own status without a profile"
status=0
"$host" "$scenarios/exit-7.scn" >"$work/out" || status=$?
[ "$status" = 7 ] || fail "exit status $status"
