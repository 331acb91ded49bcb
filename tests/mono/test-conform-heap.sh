#!/bin/sh
# Heap snapshots, roots, GC handles and finalizers of the stock profiler.
. "${srcdir:-.}/tests/mono/conform.sh"

conform heapshot=1gc conf-roots
holds count:heap-object count:heap-root count:heap-root-register count:heap-root-unregister count:heap-end
conform nodefaults,heapshot-on-shutdown,alloc conf-roots
conform heapshot heapshot
conform gchandle conf-handles
holds count:gc-handle-created count:gc-handle-destroyed backtraces:gc-handle-created
conform finalization conf-finalizers
holds count:gc-finalize-start count:gc-finalize-end count:gc-finalize-object-start count:gc-finalize-object-end
