#!/bin/sh
# Enter and leave: all of them, to a depth, of chosen methods.
. "${srcdir:-.}/tests/host/host-lib.sh"

begin "calls"
record calls "$scenarios/calls.scn"
# By hand: Main 1; Work 10 + tail call + exception + second thread; Step 10 + 5 + 1;
# Concat 1 + second thread.
check same=method_enter,exception_throw \
  method_enter=32 "method_enter:$Main=1" "method_enter:$Work=13" "method_enter:$Step=16" \
  "method_enter:$Concat=2" "method_enter:$Format=0" \
  method_leave=29 "method_leave:$Main=1" "method_leave:$Work=11" "method_leave:$Step=15" \
  "method_leave:$Concat=2" \
  method_exc_leave=2 "method_exc_leave:$Work=1" "method_exc_leave:$Step=1" alloc=0

begin "without calls"
record "" "$scenarios/calls.scn"
check same=exception_throw method_enter=0 method_leave=0 method_exc_leave=0
! grep -q "^delivered.method_enter [1-9]" "$truth" || fail "code is instrumented for nothing"

begin "calldepth=2"
record calls,calldepth=2 "$scenarios/calls.scn"
# Main is outermost, so Step is at the third level but for the recursion's first one.
check "method_enter:$Main=1" "method_enter:$Work=13" "method_enter:$Step=1" \
  "method_enter:$Concat=2" "method_leave:$Work=11" "method_leave:$Step=1" \
  "method_exc_leave:$Work=1" "method_exc_leave:$Step=0"

begin "calldepth=0"
record calls,calldepth=0 "$scenarios/calls.scn"
check method_enter=0 method_leave=0 method_exc_leave=0 exception_throw=1

# spec TEXT MAIN WORK STEP CONCAT: how often each method is entered in the log.
spec () {
  begin "callspec=$1"
  record "calls,callspec=$1" "$scenarios/calls.scn"
  check "method_enter:$Main=$2" "method_enter:$Work=$3" "method_enter:$Step=$4" \
    "method_enter:$Concat=$5" method_enter=$(($2 + $3 + $4 + $5)) exception_throw=1
}
spec all 1 13 16 2
spec program 1 13 16 0
spec none 0 0 0 0
spec app 1 13 16 0
spec mscorlib 0 0 0 2
spec other 0 0 0 0
spec N:Program 1 13 16 0
spec N:System 0 0 0 2
spec T:Program.Node 1 13 0 0
spec T:Program.Node/Leaf 0 0 16 0
spec T:Node 0 0 0 0
spec M:Program.Node:Work 0 13 0 0
spec 'M:Program.Node:Work\,M:System.String:Concat' 0 13 0 2
spec "'all,-M:Program.Node:Work'" 1 0 16 2
spec "'all,-program'" 0 0 0 2
spec -mscorlib 1 13 16 0
spec "'T:Program.Node,-M:Program.Node:Main'" 0 13 0 0

begin "a leave that does not come"
record calls "$scenarios/calls-lost.scn"
check "method_enter:$Main=1" "method_enter:$Work=1" "method_enter:$Step=1" \
  "method_leave:$Main=1" "method_leave:$Work=1" "method_leave:$Step=0" "method_exc_leave:$Step=1"

begin "very deep recursion"
record calls,calldepth=100 "$scenarios/deep.scn"
check "method_enter:$Step=200" "method_leave:$Step=200"
record calls,calldepth=1000 "$scenarios/deep.scn"
check "method_enter:$Step=2000" "method_leave:$Step=2000"

# Deeper than what is retained nothing is recorded, neither enter nor leave.
for depth in '' ,calldepth=1000000; do
  record "calls$depth" "$scenarios/deep.scn"
  check "method_enter:$Step=131072" "method_leave:$Step=131072"
done

begin "no backtraces together with calls"
record calls,alloc "$scenarios/backtraces.scn"
check same=alloc frames:alloc:=10 frames:exception_throw:=1 frames:monitor:=3
