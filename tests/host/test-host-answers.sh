#!/bin/sh
# While threads record faster than the output accepts, so that the queue of buffers is never empty, the module answers.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# Reads on and on, but less than the threads record.
cat >"$work/reader.sh" <<'END'
while [ "$(head -c 200000 | wc -c)" != 0 ]; do sleep 0.004; done
END
thread () {
  printf 'thread %s\non %s\n  repeat i 1000000000\n    fire gc_allocation nodes[1]\n  end\nend\n' "$1" "$1"
}

begin "flush of a queue that is full"
start_host "alloc,memory=4M,overflow=block,output=|sh $work/reader.sh" "$(thread one)
$(thread two)"
sleep 0.5
for request in flush save status flush; do
  began=$(date +%s%N)
  case $request in
  save) ctl 3 save "$work/part.mlpd" ;; # this output has none
  *) ctl 0 $request ;;
  esac
  took=$((($(date +%s%N) - began) / 1000000))
  echo "$request: $took ms"
  test "$took" -lt 20000 || fail "$request took $took ms"
done
kill -9 "$pid"
wait "$pid" 2>/dev/null || :
running=
