# eventlog-lines.sh -- what make-eventlog.c writes, for tests that make other logs of it.  Sourced
# after lib.sh.
eventlog=$logs/small.eventlog
test -f "$eventlog" || fail "there is no $eventlog"

cat >events <<'END'
0.000900000 - block-marker block_size=267 end_time=3100000 cap=0
0.001000000 0 create-thread thread=1
0.001100000 0 thread-label thread=1 label="main thread"
0.001200000 0 run-thread thread=1
0.001300000 0 create-thread thread=2
0.002000000 0 stop-thread thread=1 status=heap-overflow info=0
0.002000100 0 gc-start
0.002000900 0 gc-global-sync
0.002000950 0 gc-stats-ghc heap_capset=0 generation=1 copied=4096 slop=100 fragmentation=0 par_n_threads=1 par_max_copied=0 par_tot_copied=4096 par_balanced_copied=0
0.002000800 0 gc-end
0.002001000 0 heap-allocated heap_capset=0 bytes=65536
0.002100000 0 run-thread thread=1
0.003000000 0 stop-thread thread=1 status=finished info=0
0.000900000 - block-marker block_size=90 end_time=3100000 cap=1
0.001400000 1 run-thread thread=2
0.001500000 1 user-msg message="hello"
0.001600000 1 stop-thread thread=2 status=mvar info=0
0.001700000 1 unknown tag=300 description="something new" bytes="616263"
0.000400000 - block-marker block_size=133 end_time=3200000 cap=65535
0.000500000 - capset-create capset=0 capset_type=os-process
0.000600000 - wall-clock-time capset=1 seconds=1600000000 nanoseconds=5
0.000700000 - rts-identifier capset=0 identifier="GHC-9.0.2 rts_thr_l"
0.000800000 - program-args capset=0 arguments=["./a.out","+RTS","-l"]
END

# lines: the events in out, without their offsets.
lines ()
{
  sed -n 's/^ *[0-9][0-9]* \([0-9][0-9]*\.\)/\1/p' "$1"
}
