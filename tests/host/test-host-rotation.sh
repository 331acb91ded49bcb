#!/bin/sh
# The log goes on in one file after the other: each is whole by itself, and together they are all.
. "${srcdir:-.}/tests/host/rotation-lib.sh"

# Eight threads that fill five files of 1 MiB and more; with sanitizers three.
many=$scenarios/parallel.scn all=800000 least=5 locks=60000 deaths=300
if [ "${SANITIZER:-no}" != no ]; then
  many=$work/many.scn all=288000 least=3 locks=40000 deaths=120
  sed -e 's/repeat i 25000/repeat i 9000/' "$scenarios/parallel.scn" >"$many"
fi

begin "by size"
rotated alloc,rotate=1M "$many"
quiet
files $least
for file in "$work"/log.*.mlpd; do
  size=$(stat -c %s "$file")
  [ "$size" -le 1048576 ] || fail "$file has $size bytes"
  [ "$size" -gt 900000 ] || [ "$file" = "$work/log.$(printf %04d $count).mlpd" ] \
    || fail "$file has only $size bytes"
  "$PWD/proflog" check "$file" >"$work/out" 2>&1 || { cat "$work/out"; fail "proflog check"; }
done
together same=alloc,metadata_image alloc=$all "again>=$((10 * (count - 1)))"

begin "reports count what was loaded and compiled once"
images=0
for file in "$work"/log.*.mlpd; do
  n=$("$PWD/proflog" report --format json "$file" | tr -d ' \n' | sed -n 's/.*"images":\([0-9]*\),.*/\1/p')
  images=$((images + n))
done
# Of world.scn, and the one of parallel.scn.
[ "$images" = 3 ] || fail "$images images were loaded"
"$PWD/proflog" report "$work/log.0002.mlpd" >"$work/out" 2>&1
grep -q "Late.A" "$work/out" || fail "a class has no name in the second file"

begin "names of threads, in data version 17"
cat >"$work/threads.scn" <<'END'
thread other
on other
  fire thread_name 0x77 "Worker"
  fire thread_name 0x88 "Gone"
end
fire thread_name 0x77 "Worker 2"
fire thread_stopped 0x88
parallel t 8
  repeat i LOCKS
    fire monitor_acquired locks[$t]
  end
end
shutdown
END
sed -i -e "s/LOCKS/$locks/" "$work/threads.scn"
rotated rotate=1M,format=17 "$work/threads.scn"
quiet
files 2
for file in "$work"/log.*.mlpd; do
  [ "$(stat -c %s "$file")" -le 1048576 ] || fail "$file has $(stat -c %s "$file") bytes"
  "$PWD/proflog" check "$file" >"$work/out" 2>&1 || { cat "$work/out"; fail "proflog check"; }
done
"$PWD/proflog" dump "$work/log.0002.mlpd" | grep "metadata-thread" >"$work/out"
# Behind that the thread's own event may come.
head -n 1 "$work/out" | grep -q 'action=name thread=0x77 name="Worker 2"' \
  || fail "the name is not announced again"
writer=$(head -n 1 "$work/out" | tr -s ' ' | cut -d ' ' -f 4)
[ "$(grep -c "$writer " "$work/out")" = 1 ] || fail "what is gone is announced again"
together same=monitor monitor=$((8 * locks))

# With sanitizers test-host-keep does that.
for zip in gzip zstd; do
  [ $zip = gzip ] || grep -q '^#define HAVE_ZSTD 1' "$PWD/config.h" || continue
  # (In scripts/check it is there.)
  has $zip || continue
  [ "${SANITIZER:-no}" = no ] || continue
  begin "compressed, $zip"
  rotated "alloc,rotate=1M,zip=$zip" "$scenarios/parallel.scn"
  quiet
  files 2
  for file in "$work"/log.*.mlpd; do
    [ "$(stat -c %s "$file")" -le 1048576 ] || fail "$file has $(stat -c %s "$file") bytes"
    $zip -qt <"$file" || fail "$zip does not like $file"
  done
  together same=alloc alloc=800000
done

begin "by time"
cat >"$work/slow.scn" <<'END'
thread other
on other
  repeat i 10
    fire gc_allocation nodes[$i]
  end
end
repeat j 3
  repeat i 20000
    fire gc_allocation leaves[7]
  end
  sleep 1100
end
shutdown
END
rotated alloc,rotate=1s "$work/slow.scn"
quiet
files 3
together same=alloc alloc=60010

begin "both, and an idle program makes no files"
echo "sleep 1500" >"$work/idle.scn"
echo "shutdown" >>"$work/idle.scn"
rotated rotate=1s,rotate=1M "$work/idle.scn"
quiet
files 1
[ "$count" = 1 ] || fail "$count files"

begin "%p, +, a name without a point"
mkdir "$work/names.d"
for name in "a%p" "+b" "names.d/c" .d; do
  host_run 0 "proflog:output=${name%"${name#+}"}$work/${name#+},rotate=1M" "$scenarios/nothing.scn"
  quiet
done
pid=$(sed -n 's/^pid //p' "$truth")
[ -f "$work/.d.0001" ] || fail "no .d.0001"
[ -f "$work/names.d/c.0001" ] || fail "no c.0001"
set -- "$work"/a[0-9]*.0001 "$work"/b.0001.[0-9]*
[ -f "$1" ] && [ -f "$2" ] || fail "no $1 and $2"

begin "names that died while what uses them waits"
cat >"$work/dying.scn" <<END
thread idle
on idle
  fire gc_allocation strings[0]
end
repeat j $deaths
  method Dynamic Node Dynamic "Program.Node:Dynamic ()" 0x600000 10
  fire jit_done Dynamic Dynamic
  stack Dynamic Main
  repeat i 1000
    fire gc_allocation strings[3]
  end
  fire method_free Dynamic
  forget Dynamic
end
shutdown
END
rotated alloc,rotate=1M "$work/dying.scn"
quiet
files 2
together same=alloc alloc=$((1000 * deaths + 1))

begin "a heap snapshot stands in one file"
cat >"$work/shots.scn" <<'END'
class Big app Program Big
objects many Node 0x7f0010000000 40 100000
objects bigs Big 0x7f0020000000 48 1
heap many bigs
thread other
repeat i 4
  start other
    repeat j 2000
      fire gc_allocation strings[7]
    end
  end
  collect 1
  wait other
end
shutdown
END
rotated alloc,heapshot,format=1,rotate=1M "$work/shots.scn"
quiet
files 2
for file in "$work"/log.*.mlpd; do
  "$PWD/proflog" check "$file" >"$work/out" 2>&1 || { cat "$work/out"; fail "proflog check"; }
done
together same=heap_object,alloc heap_object=400004

begin "the next file cannot be made"
rm -f "$work"/log.*
mkdir "$work/log.0002.mlpd"
host_run 0 "proflog:output=$log,alloc,rotate=1M" "$scenarios/world.scn" "$many"
one_line "output '$work/log.0002.mlpd': Is a directory; the log continues in $work/log.0001.mlpd"
rmdir "$work/log.0002.mlpd"
files 1
[ "$count" = 1 ] || fail "$count files"
together same=alloc alloc=$all

begin "a symbolic link in its place"
rm -f "$work"/log.*
echo precious >"$work/target"
ln -s target "$work/log.0002.mlpd"
host_run 0 "proflog:output=$log,alloc,rotate=1M" "$scenarios/world.scn" "$many"
one_line "output '$work/log.0002.mlpd': is a symbolic link, which is not followed; the log continues in"
[ "$(cat "$work/target")" = precious ] || fail "its target was written"
rm "$work/log.0002.mlpd"
together same=alloc alloc=$all

begin "a FIFO, a descriptor"
mkfifo "$work/fifo.0001"
exec 6<>"$work/fifo.0001"
for output in "$work/fifo" '#6' "unix:$work/socket"; do
  host_run 0 "proflog:output=$output,rotate=1M" "$scenarios/nothing.scn"
  one_line "rotate: output '.*' is not a file that other files could follow; the program runs unprofiled"
done
exec 6>&-

begin "times and sizes that are none"
for value in "" 1 1x 0s 999k 1000ms1 -1s 1d 99999999h; do
  host_run 0 "proflog:output=$log,rotate=$value" "$scenarios/nothing.scn"
  one_line "rotate=.*; the program runs unprofiled"
done

begin "what another program has left is replaced"
rm -f "$work"/log.*
head -c 65536 /dev/zero >"$work/log.0002.mlpd.spool"
echo precious >"$work/log.0003.mlpd.spool"
host_run 0 "proflog:output=$log,alloc,rotate=1M" "$scenarios/world.scn" "$many"
one_line "the spool stays in $work/log.0002.mlpd.spool, which is not beside the log $work/log.0003.mlpd: File exists"
[ "$(cat "$work/log.0003.mlpd.spool")" = precious ] || fail "it was written"
rm "$work/log.0003.mlpd.spool"
files $least
together same=alloc

# on_full_disk BYTES FILES: all but this many bytes of a disk are in use, and it has so many files of the log
# at the end.  Status 1 where such a disk cannot be made without asking anybody.
on_full_disk () {
  mkdir -p "$work/disk" "$work/kept"
  rm -f "$work/status" "$work/kept"/*
  unshare -rm sh -c "
    mount -t tmpfs -o size=4M none '$work/disk' || exit 1
    head -c $((4194304 - $1)) /dev/zero >'$work/disk/other'
    status=0
    '$host' --module '$module' --truth '$truth' \
      --profile='proflog:output=$work/disk/log.mlpd,alloc,rotate=1M,spool=none' \
      '$scenarios/world.scn' '$work/name.scn' '$many' >'$work/out' 2>'$work/err' || status=\$?
    cp '$work/disk'/log.* '$work/kept'
    echo \$status >'$work/status'
  " 2>/dev/null || return 1
  [ "$(cat "$work/status")" = 0 ] || fail "exit status $(cat "$work/status")"
  incomplete "$work/disk/log.000$2.mlpd" "No space left on device"
  [ "$lost" -gt 1000 ] || fail "only $lost events are lost"
  [ "$(ls "$work/kept" | wc -l)" = "$2" ] || fail "$(ls "$work/kept" | wc -l) files"
  for file in "$work/kept"/log.*.mlpd; do
    "$check_log" "$file" cut "alloc>=1000" || fail "$file is wrong"
  done
}

# A file of 1 MiB lacks one buffer of that at most.  With a name that is longer, the next one does not
# fit into what is left.
cat >"$work/name.scn" <<'END'
method Long Node Long "x"*150000
fire jit_done Long Long
END

begin "the disk gets full in a file"
if on_full_disk 2500000 3; then
  begin "the disk is full when the next file begins"
  on_full_disk 1048576 1
else
  echo "no file system can be mounted here"
fi
