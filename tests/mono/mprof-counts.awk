# mprof-counts.awk -- the text of `mprof-report --debug --reports=stats` as "key tab value" lines of
# the keys of log-counts.cs: the events of each kind, and from its statistics their bytes.
#
# Its statistics leave out three events, which only the debug lines have: (un)registered roots, and
# names of threads and domains; before data version 14 monitors, too.  Those have no bytes: or key
# here.

function count (kind, n) { counts["count:" kind] += n }

# A row of the statistics, for each value of the event byte.
function statistics (kind, n, min, max, bytes)
{
  in_statistics[kind] += n
  counts["bytes:" kind] += bytes
  if (!(("min:" kind) in counts) || min < counts["min:" kind])
    counts["min:" kind] = min
  if (!(("max:" kind) in counts) || max > counts["max:" kind])
    counts["max:" kind] = max
}

function metadata (kind, action)
{
  count("metadata-" kind, 1)
  count("metadata-" kind "." action, 1)
  of_action["metadata." action]++
}

function add (key, value) { counts[key] += value }

BEGIN {
  split ("ALLOC_NO_BT alloc ALLOC_BT alloc GC_EVENT gc-event GC_RESIZE gc-resize GC_MOVE gc-move" \
         " GC_HANDLE_CREATED gc-handle-created GC_HANDLE_CREATED_BT gc-handle-created" \
         " GC_HANDLE_DESTROYED gc-handle-destroyed GC_HANDLE_DESTROYED_BT gc-handle-destroyed" \
         " GC_FINALIZE_START gc-finalize-start GC_FINALIZE_END gc-finalize-end" \
         " GC_FINALIZE_OBJECT_START gc-finalize-object-start" \
         " GC_FINALIZE_OBJECT_END gc-finalize-object-end" \
         " END_LOAD metadata.load END_UNLOAD metadata.unload" \
         " LEAVE method-leave ENTER method-enter EXC_LEAVE method-exc-leave JIT method-jit" \
         " THROW_NO_BT exception-throw THROW_BT exception-throw CLAUSE exception-clause" \
         " MONITOR_NO_BT monitor MONITOR_BT monitor" \
         " HEAP_START heap-start HEAP_END heap-end HEAP_OBJECT heap-object HEAP_ROOT heap-root" \
         " SAMPLE_HIT sample-hit SAMPLE_USYM sample-symbol SAMPLE_UBIN sample-binary" \
         " SAMPLE_COUNTERS_DESC sample-counters-desc SAMPLE_COUNTERS sample-counters" \
         " JITHELPER runtime-jit-helper SYNC_POINT meta-sync-point AOT_ID meta-aot-id" \
         " COVERAGE_ASSEMBLY coverage-assembly COVERAGE_METHOD coverage-method" \
         " COVERAGE_STATEMENT coverage-statement COVERAGE_CLASS coverage-class", list)
  for (i = 1; i in list; i += 2)
    kinds["TYPE_" list[i]] = list[i + 1]
}

/^\tBuffer count / { add("buffers", $3) }

/^ *\t *TYPE_[A-Z]+\t *TYPE_[A-Z_]+\tcount / {
  if (!($2 in kinds)) {
    printf "mprof-counts.awk: %s?\n", $2 > "/dev/stderr"
    failed = 1
  }
  statistics(kinds[$2], $4, $6, $8, $10)
  next
}

/^alloced object / {
  lines["alloc"]++
  size = $5
  sub (/,$/, "", size)
  add("sum:alloc.size", size)
}
/^moved obj / { add("items:gc-move.objects", 2) }
/^gc event for / { lines["gc-event"]++ }
/^gc heap resized to / { lines["gc-resize"]++; add("sum:gc-resize.size", $5) }
/^handle \([a-z_-]*\) [0-9]+ created for / { lines["gc-handle-created"]++; add("sum:gc-handle-created.handle", $3) }
/^handle \([a-z_-]*\) [0-9]+ destroyed$/ { lines["gc-handle-destroyed"]++; add("sum:gc-handle-destroyed.handle", $3) }
/^gc finalizer queue being processed at / { lines["gc-finalize-start"]++ }
/^gc finalizer queue finished processing at / { lines["gc-finalize-end"]++ }
/^gc finalizing object / { lines["gc-finalize-object-start"]++ }
/^gc finalized object / { lines["gc-finalize-object-end"]++ }

/^(un)?loaded (class|image|assembly|context) / { metadata($2, $1 == "loaded" ? "load" : "unload") }
# A domain is called a thread there, but has a small number and no address.
/^(un)?loaded thread / {
  metadata(length ($3) < 8 ? "domain" : "thread", $1 == "loaded" ? "load" : "unload")
}
/^vtable 0x[0-9a-f]+ for class / { metadata("vtable", "load") }
/^thread .* named at [0-9]+: / { metadata("thread", "name") }
/^domain .* named at [0-9]+: / { metadata("domain", "name") }

/^leave method / { lines["method-leave"]++ }
/^enter method / { lines["method-enter"]++ }
/^exc_leave method / { lines["method-exc-leave"]++ }
/^jitted method / { lines["method-jit"]++ }
/^throw 0x/ { lines["exception-throw"]++ }
/^clause [a-z]+ \([0-9]+\) in method / { lines["exception-clause"]++ }
/^monitor [a-z ]+ for object / { lines["monitor"]++ }
# It prints no line for an event that only adds references to an object.
/^traced object 0x[0-9a-f]+, size / {
  size = $5
  sub (/,$/, "", size)
  add("sum:heap-object.size", size)
  add("objects:heap-object", 1)
}
/^root object .* at address / { add("items:heap-root.roots", 1) }
/^root register address / {
  count("heap-root-register", 1)
  add("sum:heap-root-register.size", $6)
  add("sum:heap-root-register.source", $8)
}
/^root unregister address / { count("heap-root-unregister", 1) }
/^sample hit, type: / { lines["sample-hit"]++ }
/^unmanaged symbol / { lines["sample-symbol"]++ }
/^jit helper / { lines["runtime-jit-helper"]++ }
/^sync point / { lines["meta-sync-point"]++; add("sum:meta-sync-point.sync_type", $3) }
/^aot id / { lines["meta-aot-id"]++ }

END {
  # Where both are reported, they must say the same: else this script does not know all of its lines.
  for (kind in in_statistics)
    if (kind ~ /^metadata\./)
      lines[kind] = of_action[kind]
    else
      count(kind, in_statistics[kind])
  if (("monitor" in lines) && !("monitor" in in_statistics)) {
    count("monitor", lines["monitor"])
    delete lines["monitor"]
  }
  for (kind in lines)
    if (lines[kind] != in_statistics[kind] + 0) {
      printf "mprof-counts.awk: %s: %d lines, %d in the statistics\n", kind, lines[kind], in_statistics[kind] > "/dev/stderr"
      failed = 1
    }
  for (key in counts)
    printf "%s\t%.0f\n", key, counts[key]
  exit failed
}
