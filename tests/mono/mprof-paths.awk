# mprof-paths.awk -- the text of `mprof-report --verbose` as lines of path, tab, value, with the
# paths of our report's JSON.  A figure that it rounds has a third column: how far off it may be.
# What it counts otherwise by design is left out: the times of recursive methods, so of all but
# those that the variable `methods` names, separated by "|".

function put (path, value) { printf "%s\t%s\n", path, value }
function put_rounded (path, value, off) { printf "%s\t%.0f\t%.0f\n", path, value, off }

BEGIN {
  split (methods, list, "|")
  for (i in list)
    timed[list[i]] = 1
}

# What follows the n-th number of a table's row.
function name_after (n,    text, i)
{
  text = $0
  for (i = 0; i < n; i++)
    sub (/^[ \t]*-?[0-9]+/, "", text)
  sub (/^ /, "", text)
  return text
}

/^[A-Z].* summary$/ || /^Mono log profiler data$/ || /^Counters:$/ { section = $1; table = 0; next }

section == "Mono" && /^\tData version:/ { put ("log.data_version", $3) }
section == "Mono" && /^\tProgram ID:/ { put ("log.pid", $3) }

section == "JIT" && /^\tCompiled methods:/ { put ("jit.methods", $3) }
section == "JIT" && /^\tGenerated code size:/ { put ("jit.code_bytes", $4) }
section == "JIT" && /^\tJIT helpers:/ { put ("jit.helpers", $3) }
section == "JIT" && /^\tJIT helpers code size:/ { put ("jit.helper_bytes", $5) }

section == "GC" && /^\tGC resizes:/ { put ("gc.resizes", $3) }
section == "GC" && /^\tMax heap size:/ { put ("gc.max_heap_bytes", $4) }
section == "GC" && /^\tObject moves:/ { put ("gc.moves", $3) }
section == "GC" && /^\tGen[0-9] collections:/ {
  generation = "gc.generations[" substr ($1, 4, 1) "]"
  put (generation ".collections", $3 + 0)
  put_rounded (generation ".max_ns", ($6 + 0) * 1000, 1000)
  put_rounded (generation ".total_ns", ($9 + 0) * 1000, 1000)
}

section == "GC" && /^\tGC handles / {
  kind = substr ($3, 1, length ($3) - 1)
  handles = "gc.handles[" (kind == "weaktrack" ? "weak-track-resurrection" : kind) "]"
  put (handles ".created", $5 + 0)
  put (handles ".destroyed", $7 + 0)
}

section == "Statistical" && /^\tUnmanaged hits:/ { put ("samples.unmanaged", $3) }
section == "Statistical" && /^\tManaged hits:/ { put ("samples.managed", $3) }
section == "Statistical" && /^\tUnresolved hits:/ { put ("samples.unresolved", $3) }
section == "Statistical" && /^[ \t]*[0-9]+ +[0-9.]+ / {
  name = $0
  sub (/^[ \t]*[0-9]+ +[0-9.]+ /, "", name)
  put ("samples.methods[" name "].hits", $1)
}

section == "Allocation" && / Type name$/ { table = 1; next }
section == "Allocation" && table && /^ *[0-9]/ {
  put ("allocations.types[" name_after (3) "].bytes", $1)
  put ("allocations.types[" name_after (3) "].objects", $2)
}
section == "Allocation" && /^Total memory allocated:/ {
  put ("allocations.bytes", $4)
  put ("allocations.objects", $7)
}

section == "Method" && / Method name$/ { table = 1; next }
section == "Method" && table && /^ *[0-9]/ {
  name = name_after (3)
  put ("calls.methods[" name "].calls", $3)
  if (name in timed) {
    put_rounded ("calls.methods[" name "].total_ns", $1 * 1000000, 1000000)
    put_rounded ("calls.methods[" name "].self_ns", $2 * 1000000, 1000000)
  }
}
section == "Method" && /^Total calls:/ { put ("calls.total", $3) }

section == "Metadata" && /^\tLoaded images:/ { put ("metadata.images", $3) }
section == "Metadata" && /^\tLoaded assemblies:/ { put ("metadata.assemblies", $3) }
section == "Domain" && /^\tDomain: / { put ("metadata.domains", 1) }

section == "Exception" && /^\tThrows:/ { put ("exceptions.throws", $2) }
section == "Exception" && /^\tExecuted .* clauses:/ {
  put ("exceptions.clauses[" $2 "].count", $4)
}

section == "Monitor" && /^\tLock contentions:/ { put ("monitors.contentions", $3) }
section == "Monitor" && /^\tLock acquired:/ { put ("monitors.acquired", $3) }
section == "Monitor" && /^\tLock failures:/ { put ("monitors.failed", $3) }
section == "Monitor" && /^\tLock object / {
  object = $3
  sub (/:$/, "", object)
  put ("monitors.objects[" object "].contentions", $4)
}
section == "Monitor" && /^\t\t[0-9.]+ secs total wait time,/ {
  put_rounded ("monitors.objects[" object "].wait_total_ns", $1 * 1e9, 1000)
  put_rounded ("monitors.objects[" object "].wait_max_ns", $6 * 1e9, 1000)
}

section == "Heap" && /^\tHeap shot / {
  shot = $3
  gsub (/,/, "")
  put_rounded ("heapshots[" shot "].time_ns", $5 * 1e9, 1000000)
  put ("heapshots[" shot "].bytes", $8)
  put ("heapshots[" shot "].objects", $11)
  put ("heapshots[" shot "].classes", $14)
}
section == "Heap" && /^\t *[0-9]+ +[0-9]+ +[0-9]+ / {
  name = name_after (3)
  bytes_delta = objects_delta = ""
  if (match (name, / \(bytes: [-+][0-9]+, count: [-+][0-9]+\)$/)) {
    split (substr (name, RSTART), part, /[ ,)]+/)
    name = substr (name, 1, RSTART - 1)
    put ("heapshots[" shot "].types[" name "].bytes_delta", part[3] + 0)
    put ("heapshots[" shot "].types[" name "].objects_delta", part[5] + 0)
  }
  put ("heapshots[" shot "].types[" name "].bytes", $1)
  put ("heapshots[" shot "].types[" name "].objects", $2)
}
