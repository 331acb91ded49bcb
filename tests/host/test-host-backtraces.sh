#!/bin/sh
# Backtraces: the program's own frames, outermost first, up to maxframes of the innermost.
. "${srcdir:-.}/tests/host/host-lib.sh"

# works N: "Work;Work;..." N times.
works () {
  i=0
  while [ $i -lt "$1" ]; do
    printf '%s;' "$Work"
    i=$((i + 1))
  done
}

begin "the default"
record alloc "$scenarios/backtraces.scn"
check same=alloc,exception_throw,monitor frames:alloc:=2 "frames:alloc:$Main;$Work;$Step=1" \
  "frames:alloc:$Main;$Format=5" "frames:alloc:$Concat=1" "frames:alloc:$(works 7)$Step=1" \
  "frames:exception_throw:$Main;$Work;$Step=1" "frames:monitor:$Main;$Work;$Step=1" \
  frames:monitor:=2

begin "maxframes=1"
record alloc,maxframes=1 "$scenarios/backtraces.scn"
check same=alloc "frames:alloc:$Step=2" "frames:alloc:$Format=5" "frames:exception_throw:$Step=1"

begin "maxframes=2"
record alloc,maxframes=2 "$scenarios/backtraces.scn"
check same=alloc "frames:alloc:$Work;$Step=2" "frames:alloc:$Main;$Format=5"

begin "maxframes=32"
record alloc,maxframes=32 "$scenarios/backtraces.scn"
check same=alloc "frames:alloc:$(works 31)$Step=1" "frames:alloc:$Main;$Work;$Step=1"

begin "maxframes=0"
record alloc,maxframes=0 "$scenarios/backtraces.scn"
check same=alloc frames:alloc:=10 frames:exception_throw:=1 frames:monitor:=3

begin "none before the runtime is initialized"
host_run 0 "proflog:output=$log,alloc" "$scenarios/uninitialized.scn"
module_was_loaded
quiet
check same=alloc,monitor,gc_event,metadata_class,metadata_image,method_jit \
  frames:alloc:=2 "frames:alloc:object:Main ()=2" frames:monitor:=1 \
  "metadata_class:load System.String[]=1" "metadata_class:load System.Object=1"
