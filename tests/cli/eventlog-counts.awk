# eventlog-counts.awk -- the number of events by kind in the text of `ghc-events show`, as lines of "kind number",
# for the kinds that a converted log of Mono has.  A line of no other kind is a message of the program.

BEGIN {
  n = split ("user-marker|^marker: " \
             "\ncreate-thread|^creating thread [0-9]+$" \
             "\nrun-thread|^running thread [0-9]+$" \
             "\nstop-thread|^stopping thread [0-9]+ [(]" \
             "\nthread-wakeup|^waking up thread [0-9]+ on cap [0-9]+$" \
             "\nthread-label|^thread [0-9]+ has label \"" \
             "\ngc-start|^starting GC$" \
             "\ngc-end|^finished GC$" \
             "\ngc-global-sync|^all caps stopped for GC$" \
             "\nrequest-seq-gc|^requesting sequential GC$" \
             "\ngc-stats-ghc|^GC stats for heap capset [0-9]+: generation " \
             "\nheap-allocated|^allocated on heap capset [0-9]+: [0-9]+ total bytes till now$" \
             "\nheap-size|^size of heap capset [0-9]+: [0-9]+ bytes$" \
             "\nheap-live|^live data in heap capset [0-9]+: [0-9]+ bytes$" \
             "\ncap-create|^created cap [0-9]+$" \
             "\ncapset-create|^created capset [0-9]+ of type " \
             "\ncapset-assign-cap|^assigned cap [0-9]+ to capset [0-9]+$" \
             "\nrts-identifier|^capset [0-9]+: RTS version \"" \
             "\nosprocess-pid|^capset [0-9]+: pid [0-9]+$" \
             "\nwall-clock-time|^capset [0-9]+: wall clock time ", list, "\n")
  for (i = 1; i <= n; i++) {
    bar = index (list[i], "|")
    kind[i] = substr (list[i], 1, bar - 1)
    text[i] = substr (list[i], bar + 1)
  }
}

/^Events:$/ { in_events = 1; next }
!in_events || $0 == "" { next }

{
  sub (/^[0-9]+: (cap [0-9]+: )?/, "")
  found = "user-msg"
  for (i = 1; i <= n; i++)
    if ($0 ~ text[i]) {
      found = kind[i]
      break
    }
  count[found]++
}

END {
  for (found in count)
    print found, count[found]
}
