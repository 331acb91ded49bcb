// log-counts.exe LOG: what Mono.Profiler.Log, the managed reader that comes with Mono, finds in a
// log.  It reads data versions 13 to 17, not compressed.
//
// Prints "key value" lines in the terms of proflog.
//   count:KIND           events of a kind; metadata also count:KIND.load, .unload and .name
//   backtraces:KIND      of which have a backtrace of some frames
//   buffers              buffers that are not empty
//   objects:heap-object  heap objects without those events that only add references to one
//   sum:KIND.FIELD       the field's values of all of them: numbers are added up modulo 2^64, so are
//                        the items of lists, the FNV-1a hashes of texts and the bits of
//                        floating-point values
//   items:KIND.FIELD     how many items those lists have
//   figure:PATH          what `proflog report --format json` has at this path; floating-point values
//                        with 17 digits
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Mono.Profiler.Log;

namespace Probe {
  class Object {
    public ulong Time, Bytes;
    public long VTable;
  }

  class Shot {
    public ulong Roots;
    public List<Object> Objects = new List<Object> ();
  }

  // What numbers stand for.  An address that was freed can stand for something else later.
  class Names<T> {
    readonly Dictionary<long, List<KeyValuePair<ulong, T>>> all =
      new Dictionary<long, List<KeyValuePair<ulong, T>>> ();

    public void Add (long number, ulong time, T name)
    {
      List<KeyValuePair<ulong, T>> list;
      if (!all.TryGetValue (number, out list))
        all[number] = list = new List<KeyValuePair<ulong, T>> ();
      list.Add (new KeyValuePair<ulong, T> (time, name));
    }

    // The last one announced in a span of time, its end not included.
    public T LastOf (long number, ulong begin, ulong end)
    {
      List<KeyValuePair<ulong, T>> list;
      if (!all.TryGetValue (number, out list))
        return default (T);
      return list.Where (n => n.Key >= begin && n.Key < end).OrderBy (n => n.Key).LastOrDefault ().Value;
    }

    // The last one announced until then, else the first one: a use can come before its announcement.
    public bool Find (long number, ulong time, out T name)
    {
      List<KeyValuePair<ulong, T>> list;
      name = default (T);
      if (!all.TryGetValue (number, out list))
        return false;
      var before = list.Where (n => n.Key <= time).ToList ();
      name = before.Count > 0 ? before.OrderBy (n => n.Key).Last ().Value
                              : list.OrderBy (n => n.Key).First ().Value;
      return true;
    }
  }

  class Handles {
    public long Created, Destroyed;
    public List<KeyValuePair<ulong, int>> Changes = new List<KeyValuePair<ulong, int>> ();

    // The most at any time.  Threads' buffers stand in the log in any order.
    public long Max ()
    {
      long live = 0, max = 0;
      foreach (var change in Changes.OrderBy (c => c.Key))
        max = Math.Max (max, live += change.Value);
      return max;
    }
  }

  class Counts : LogEventVisitor {
    readonly Dictionary<string, ulong> figures = new Dictionary<string, ulong> ();
    readonly Dictionary<long, CounterDescriptionsEvent.CounterDescription> counters =
      new Dictionary<long, CounterDescriptionsEvent.CounterDescription> ();
    readonly Dictionary<long, object> last = new Dictionary<long, object> ();   // by counter
    readonly Names<string> classes = new Names<string> ();
    readonly Names<string> methods = new Names<string> ();
    readonly Names<long> vtables = new Names<long> ();   // classes of them
    readonly List<Object> allocated = new List<Object> ();
    readonly List<KeyValuePair<ulong, long>> calls = new List<KeyValuePair<ulong, long>> ();
    readonly Dictionary<LogGCHandleType, Handles> handles = new Dictionary<LogGCHandleType, Handles> ();
    readonly List<Shot> shots = new List<Shot> ();
    readonly List<KeyValuePair<ulong, long>> starts = new List<KeyValuePair<ulong, long>> ();   // of threads
    readonly Names<string> threads = new Names<string> ();
    readonly HashSet<string> named_domains = new HashSet<string> ();
    readonly HashSet<string> loaded = new HashSet<string> ();
    readonly HashSet<string> compiled = new HashSet<string> ();
    readonly HashSet<LogBufferHeader> buffers = new HashSet<LogBufferHeader> ();
    ulong resizes, max_heap;
    bool in_shot;
    LogEvent current;
    string kind;

    public void Add (string key, ulong value)
    {
      ulong sum;
      figures.TryGetValue (key, out sum);
      figures[key] = unchecked (sum + value);
    }

    void Add (string key, long value) { Add (key, unchecked ((ulong) value)); }

    public override void VisitBefore (LogEvent ev)
    {
      current = ev;
      if (buffers.Add (ev.Buffer))
        Add ("buffers", 1UL);
    }

    void Event (string name)
    {
      kind = name;
      Add ("count:" + kind, 1UL);
      Add ("sum:" + kind + ".time", current.Timestamp);
    }

    void Sum (string field, long value) { Add ("sum:" + kind + "." + field, value); }

    // The writer passes sizes through an int, so that one of 2 GiB or more, and garbage, has its upper
    // half full of ones.
    static long Size (long size) { return size < 0 ? (long) (uint) size : size; }

    void Sum (string field, string text)
    {
      ulong hash = 0xcbf29ce484222325;
      foreach (byte b in Encoding.UTF8.GetBytes (text))
        hash = unchecked ((hash ^ b) * 0x100000001b3);
      Add ("sum:" + kind + "." + field, hash);
    }

    void Items (string field, int count) { Add ("items:" + kind + "." + field, count); }

    void Sum (string field, IEnumerable<long> items)
    {
      Items (field, items.Count ());
      foreach (long item in items)
        Sum (field, item);
    }

    void Backtrace (IReadOnlyList<long> frames)
    {
      if (frames.Count == 0)
        return;
      Add ("backtraces:" + kind, 1UL);
      Sum ("backtrace", frames);
    }

    void Metadata (int mtype, string name, int action, string pointer, long value)
    {
      Event (name);
      Sum ("action", action);
      Sum ("mtype", mtype);
      Sum (pointer, value);
      string group = action == 0x20 ? "load" : action == 0x40 ? "unload" : "name";
      Add (String.Format ("count:{0}.{1}", name, group), 1UL);
    }

    Handles HandlesOf (LogGCHandleType type)
    {
      Handles result;
      if (!handles.TryGetValue (type, out result))
        handles[type] = result = new Handles ();
      return result;
    }

    Object ObjectOf (long vtable, long size)
    {
      return new Object { Time = current.Timestamp, VTable = vtable, Bytes = (ulong) Size (size) };
    }

    public override void Visit (AllocationEvent ev)
    {
      Event ("alloc");
      Sum ("vtable", ev.VTablePointer);
      Sum ("object", ev.ObjectPointer);
      Sum ("size", Size (ev.ObjectSize));
      Backtrace (ev.Backtrace);
      allocated.Add (ObjectOf (ev.VTablePointer, ev.ObjectSize));
    }

    public override void Visit (GCEvent ev)
    {
      Event ("gc-event");
      Sum ("event", (long) ev.Type);
      Sum ("generation", ev.Generation);
      if (ev.Type == LogGCEvent.Begin)
        Add (String.Format ("figure:gc.generations[{0}].collections", ev.Generation), 1UL);
    }

    public override void Visit (GCResizeEvent ev)
    {
      Event ("gc-resize");
      Sum ("size", Size (ev.NewSize));
      resizes++;
      max_heap = Math.Max (max_heap, (ulong) Size (ev.NewSize));
    }

    public override void Visit (GCMoveEvent ev)
    {
      Event ("gc-move");
      Sum ("objects", ev.OldObjectPointers.Concat (ev.NewObjectPointers));
      Add ("figure:gc.moves", ev.OldObjectPointers.Count);
    }

    public override void Visit (GCHandleCreationEvent ev)
    {
      Event ("gc-handle-created");
      Sum ("handle_type", (long) ev.Type);
      Sum ("handle", ev.Handle);
      Sum ("object", ev.ObjectPointer);
      Backtrace (ev.Backtrace);
      var of = HandlesOf (ev.Type);
      of.Created++;
      of.Changes.Add (new KeyValuePair<ulong, int> (ev.Timestamp, 1));
    }

    public override void Visit (GCHandleDeletionEvent ev)
    {
      Event ("gc-handle-destroyed");
      Sum ("handle_type", (long) ev.Type);
      Sum ("handle", ev.Handle);
      Backtrace (ev.Backtrace);
      var of = HandlesOf (ev.Type);
      of.Destroyed++;
      of.Changes.Add (new KeyValuePair<ulong, int> (ev.Timestamp, -1));
    }

    public override void Visit (GCFinalizeBeginEvent ev) { Event ("gc-finalize-start"); }
    public override void Visit (GCFinalizeEndEvent ev) { Event ("gc-finalize-end"); }

    public override void Visit (GCFinalizeObjectBeginEvent ev)
    {
      Event ("gc-finalize-object-start");
      Sum ("object", ev.ObjectPointer);
    }

    public override void Visit (GCFinalizeObjectEndEvent ev)
    {
      Event ("gc-finalize-object-end");
      Sum ("object", ev.ObjectPointer);
    }

    public override void Visit (ClassLoadEvent ev)
    {
      Metadata (1, "metadata-class", 0x20, "klass", ev.ClassPointer);
      Sum ("image", ev.ImagePointer);
      Sum ("name", ev.Name);
      classes.Add (ev.ClassPointer, ev.Timestamp, ev.Name);
      if (loaded.Add (ev.ClassPointer + " " + ev.Name)) // not that of a throw, which is announced once more
        Add ("figure:metadata.classes", 1UL);
    }

    public override void Visit (VTableLoadEvent ev)
    {
      Metadata (7, "metadata-vtable", 0x20, "vtable", ev.VTablePointer);
      Sum ("domain", ev.AppDomainId);
      Sum ("klass", ev.ClassPointer);
      vtables.Add (ev.VTablePointer, ev.Timestamp, ev.ClassPointer);
    }

    public override void Visit (ImageLoadEvent ev)
    {
      Metadata (2, "metadata-image", 0x20, "image", ev.ImagePointer);
      Sum ("name", ev.Name);
      Sum ("mvid", ev.ModuleVersionId == Guid.Empty ? "" : ev.ModuleVersionId.ToString ().ToUpper ());
      Add ("figure:metadata.images", 1UL);
    }

    public override void Visit (ImageUnloadEvent ev)
    {
      Metadata (2, "metadata-image", 0x40, "image", ev.ImagePointer);
      Sum ("name", ev.Name);
    }

    public override void Visit (AssemblyLoadEvent ev)
    {
      Metadata (3, "metadata-assembly", 0x20, "assembly", ev.AssemblyPointer);
      Sum ("image", ev.ImagePointer);
      Sum ("name", ev.Name);
      Add ("figure:metadata.assemblies", 1UL);
    }

    public override void Visit (AssemblyUnloadEvent ev)
    {
      Metadata (3, "metadata-assembly", 0x40, "assembly", ev.AssemblyPointer);
      Sum ("image", ev.ImagePointer);
      Sum ("name", ev.Name);
    }

    public override void Visit (AppDomainLoadEvent ev)
    {
      Metadata (4, "metadata-domain", 0x20, "domain", ev.AppDomainId);
    }

    public override void Visit (AppDomainUnloadEvent ev)
    {
      Metadata (4, "metadata-domain", 0x40, "domain", ev.AppDomainId);
    }

    public override void Visit (AppDomainNameEvent ev)
    {
      Metadata (4, "metadata-domain", 0, "domain", ev.AppDomainId);
      Sum ("name", ev.Name);
      named_domains.Add (ev.AppDomainId + " " + ev.Name); // ids are used again
    }

    public override void Visit (ContextLoadEvent ev)
    {
      Metadata (6, "metadata-context", 0x20, "context", ev.ContextId);
      Sum ("domain", ev.AppDomainId);
    }

    public override void Visit (ContextUnloadEvent ev)
    {
      Metadata (6, "metadata-context", 0x40, "context", ev.ContextId);
      Sum ("domain", ev.AppDomainId);
    }

    public override void Visit (ThreadStartEvent ev)
    {
      Metadata (5, "metadata-thread", 0x20, "thread", ev.ThreadId);
      starts.Add (new KeyValuePair<ulong, long> (ev.Timestamp, ev.ThreadId));
    }

    public override void Visit (ThreadEndEvent ev)
    {
      Metadata (5, "metadata-thread", 0x40, "thread", ev.ThreadId);
    }

    public override void Visit (ThreadNameEvent ev)
    {
      Metadata (5, "metadata-thread", 0, "thread", ev.ThreadId);
      Sum ("name", ev.Name);
      threads.Add (ev.ThreadId, ev.Timestamp, ev.Name);
    }

    public override void Visit (JitEvent ev)
    {
      Event ("method-jit");
      Sum ("method", ev.MethodPointer);
      Sum ("code", ev.CodePointer);
      Sum ("size", Size (ev.CodeSize));
      Sum ("name", ev.Name);
      methods.Add (ev.MethodPointer, ev.Timestamp, ev.Name);
      // Two threads that compile a method at the same time both report the code that was retained.
      if (ev.CodePointer != 0 && compiled.Add (ev.MethodPointer + " " + ev.CodePointer + " " + ev.CodeSize)) {
        Add ("figure:jit.methods", 1UL);
        Add ("figure:jit.code_bytes", Size (ev.CodeSize));
      }
    }

    public override void Visit (JitHelperEvent ev)
    {
      Event ("runtime-jit-helper");
      Sum ("helper_type", (long) ev.Type);
      Sum ("address", ev.BufferPointer);
      Sum ("size", Size (ev.BufferSize));
      if (ev.Type == LogJitHelper.SpecificTrampoline)
        Sum ("name", ev.Name);
      Add ("figure:jit.helpers", 1UL);
      Add ("figure:jit.helper_bytes", Size (ev.BufferSize));
    }

    public override void Visit (EnterEvent ev)
    {
      Event ("method-enter");
      Sum ("method", ev.MethodPointer);
      calls.Add (new KeyValuePair<ulong, long> (ev.Timestamp, ev.MethodPointer));
    }

    public override void Visit (LeaveEvent ev)
    {
      Event ("method-leave");
      Sum ("method", ev.MethodPointer);
    }

    public override void Visit (ExceptionalLeaveEvent ev)
    {
      Event ("method-exc-leave");
      Sum ("method", ev.MethodPointer);
    }

    public override void Visit (ThrowEvent ev)
    {
      Event ("exception-throw");
      Sum ("object", ev.ObjectPointer);
      Backtrace (ev.Backtrace);
      Add ("figure:exceptions.throws", 1UL);
    }

    public override void Visit (ExceptionClauseEvent ev)
    {
      Event ("exception-clause");
      Sum ("clause_type", (long) ev.Type);
      Sum ("clause", ev.Index);
      Sum ("method", ev.MethodPointer);
      Sum ("object", ev.ObjectPointer);
      Add (String.Format ("figure:exceptions.clauses[{0}].count", ev.Type.ToString ().ToLower ()), 1UL);
    }

    public override void Visit (MonitorEvent ev)
    {
      Event ("monitor");
      Sum ("event", (long) ev.Event);
      Sum ("object", ev.ObjectPointer);
      Backtrace (ev.Backtrace);
      Add ("figure:monitors." + (ev.Event == LogMonitorEvent.Contention ? "contentions"
                                 : ev.Event == LogMonitorEvent.Done ? "acquired" : "failed"), 1UL);
    }

    public override void Visit (HeapBeginEvent ev)
    {
      Event ("heap-start");
      shots.Add (new Shot ());
      in_shot = true;
    }

    public override void Visit (HeapEndEvent ev)
    {
      Event ("heap-end");
      in_shot = false;
    }

    public override void Visit (HeapObjectEvent ev)
    {
      Event ("heap-object");
      Sum ("object", ev.ObjectPointer);
      Sum ("vtable", ev.VTablePointer);
      Sum ("size", Size (ev.ObjectSize));
      Sum ("generation", ev.Generation);
      Items ("references", ev.References.Count);
      long offset = 0;   // each is known by the one before
      foreach (var reference in ev.References) {
        Sum ("references.offset", offset += reference.Offset);
        Sum ("references.object", reference.ObjectPointer);
      }
      if (ev.ObjectSize == 0)
        return;   // more references of the object before
      Add ("objects:heap-object", 1UL);
      shots[shots.Count - 1].Objects.Add (ObjectOf (ev.VTablePointer, ev.ObjectSize));
    }

    public override void Visit (HeapRootsEvent ev)
    {
      Event ("heap-root");
      Items ("roots", ev.Roots.Count);
      if (in_shot)
        shots[shots.Count - 1].Roots += (ulong) ev.Roots.Count;
      foreach (var root in ev.Roots) {
        Sum ("roots.address", root.SlotPointer);
        Sum ("roots.object", root.ObjectPointer);
      }
    }

    public override void Visit (HeapRootRegisterEvent ev)
    {
      Event ("heap-root-register");
      Sum ("start", ev.RootPointer);
      Sum ("size", Size (ev.RootSize));
      Sum ("source", (long) ev.Source);
      Sum ("key", ev.Key);
      Sum ("name", ev.Name);
    }

    public override void Visit (HeapRootUnregisterEvent ev)
    {
      Event ("heap-root-unregister");
      Sum ("start", ev.RootPointer);
    }

    public override void Visit (SampleHitEvent ev)
    {
      Event ("sample-hit");
      Sum ("thread", ev.ThreadId);
      Sum ("ips", ev.UnmanagedBacktrace);
      Items ("frames", ev.ManagedBacktrace.Count);
      foreach (long method in ev.ManagedBacktrace)
        Sum ("frames.method", method);
      Add ("figure:samples.hits", 1UL);
    }

    public override void Visit (UnmanagedSymbolEvent ev)
    {
      Event ("sample-symbol");
      Sum ("address", ev.CodePointer);
      Sum ("size", Size (ev.CodeSize));
      Sum ("name", ev.Name);
    }

    public override void Visit (UnmanagedBinaryEvent ev)
    {
      Event ("sample-binary");
      Sum ("address", ev.SegmentPointer);
      Sum ("offset", ev.SegmentOffset);
      Sum ("size", Size (ev.SegmentSize));
      Sum ("name", ev.FileName);
    }

    public override void Visit (CounterDescriptionsEvent ev)
    {
      Event ("sample-counters-desc");
      Items ("counters", ev.Descriptions.Count);
      foreach (var counter in ev.Descriptions) {
        counters[counter.Index] = counter;
        Sum ("counters.index", counter.Index);
        Sum ("counters.section", (long) counter.Section);
        if (counter.Section == LogCounterSection.User)
          Sum ("counters.user_section", counter.SectionName);
        Sum ("counters.name", counter.CounterName);
        Sum ("counters.type", (long) counter.Type);
        Sum ("counters.unit", (long) counter.Unit);
        Sum ("counters.variance", (long) counter.Variance);
      }
    }

    public override void Visit (CounterSamplesEvent ev)
    {
      Event ("sample-counters");
      Items ("values", ev.Samples.Count);
      foreach (var sample in ev.Samples) {
        Sum ("values.index", sample.Index);
        Sum ("values.type", (long) sample.Type);
        Value (sample.Value);
        Keep (sample.Index, sample.Value);
      }
    }

    // Whole numbers are written as the difference from the value before, but not those of counters that
    // programs make.
    void Keep (long index, object value)
    {
      object before;
      CounterDescriptionsEvent.CounterDescription counter;
      bool is_user = counters.TryGetValue (index, out counter) && counter.Section == LogCounterSection.User;
      if (!last.TryGetValue (index, out before) || is_user || value is double || value is string)
        last[index] = value is ulong || value is double || value is string || value == null
                        ? value : Convert.ToInt64 (value);
      else if (value is ulong)
        last[index] = unchecked ((ulong) before + (ulong) value);
      else
        last[index] = unchecked ((long) before + Convert.ToInt64 (value));
    }

    void Value (object value)
    {
      if (value is string)
        Sum ("values.value", (string) value);
      else if (value is double)
        Sum ("values.value", BitConverter.DoubleToInt64Bits ((double) value));
      else if (value is ulong)
        Sum ("values.value", unchecked ((long) (ulong) value));
      else if (value != null)
        Sum ("values.value", Convert.ToInt64 (value));
    }

    public override void Visit (SynchronizationPointEvent ev)
    {
      Event ("meta-sync-point");
      Sum ("sync_type", (long) ev.Type);
    }

    public override void Visit (AotIdEvent ev)
    {
      Event ("meta-aot-id");
      Sum ("id", ev.AotId.ToString ().ToUpper ());
    }

    long ClassOf (Object of)
    {
      long klass;
      return vtables.Find (of.VTable, of.Time, out klass) ? klass : 0;
    }

    string NameOf (Object of)
    {
      string name;
      return classes.Find (ClassOf (of), of.Time, out name) ? name : null;
    }

    void AddTypes (string path, List<Object> objects)
    {
      foreach (var one in objects) {
        string name = NameOf (one);
        Add (path + "objects", 1UL);
        Add (path + "bytes", one.Bytes);
        if (name == null)
          Add (path + "unresolved", 1UL);
        else {
          Add (String.Format ("{0}types[{1}].objects", path, name), 1UL);
          Add (String.Format ("{0}types[{1}].bytes", path, name), one.Bytes);
        }
      }
    }

    // How many threads have a name.  Ids are used again: a thread has the last name that its id is given
    // before the next thread starts with it.
    void AddThreads ()
    {
      foreach (var of_id in starts.GroupBy (s => s.Value)) {
        var times = of_id.Select (s => s.Key).OrderBy (t => t).ToList ();
        for (int i = 0; i < times.Count; i++) {
          string name = threads.LastOf (of_id.Key, times[i], i + 1 < times.Count ? times[i + 1] : UInt64.MaxValue);
          if (!String.IsNullOrEmpty (name))
            Add (String.Format ("figure:threads[{0}].count", name), 1UL);
        }
      }
    }

    // Figures of the whole log: names may be announced after their use.
    public void Finish (LogStreamHeader header)
    {
      figures["figure:log.data_version"] = (ulong) header.FormatVersion;
      figures["figure:log.pid"] = (ulong) header.ProcessId;
      figures["figure:log.pointer_size"] = header.PointerSize;
      figures["figure:gc.resizes"] = resizes;
      figures["figure:gc.max_heap_bytes"] = max_heap;
      figures["figure:metadata.domains"] = (ulong) named_domains.Count;
      AddThreads ();
      AddTypes ("figure:allocations.", allocated);
      foreach (var call in calls) {
        string name;
        Add ("figure:calls.total", 1UL);
        Add (methods.Find (call.Value, call.Key, out name)
               ? String.Format ("figure:calls.methods[{0}].calls", name) : "figure:calls.unresolved",
             1UL);
      }
      foreach (var pair in handles) {
        string path = String.Format ("figure:gc.handles[{0}].",
                                     pair.Key == LogGCHandleType.WeakTrackResurrection
                                       ? "weak-track-resurrection" : pair.Key.ToString ().ToLower ());
        Add (path + "created", pair.Value.Created);
        Add (path + "destroyed", pair.Value.Destroyed);
        Add (path + "max", pair.Value.Max ());
      }
      for (int i = 0; i < shots.Count; i++) {
        string path = String.Format ("figure:heapshots[{0}].", i);
        Add (path + "roots", shots[i].Roots);
        Add (path + "classes", shots[i].Objects.Select (o => ClassOf (o)).Distinct ().Count ());
        AddTypes (path, shots[i].Objects);
      }
    }

    public void Print ()
    {
      foreach (string key in figures.Keys.OrderBy (k => k, StringComparer.Ordinal))
        Console.WriteLine ("{0}\t{1}", key, figures[key]);
      // Three counters stand for fields that data version 17 does not have (docs/mlpd-format.md).
      foreach (var pair in last.Where (p => p.Key < 999988 || p.Key > 999999).OrderBy (p => p.Key))
        Console.WriteLine (pair.Value is double ? "figure:counters[{0}].last\t{1:G17}"
                                                : "figure:counters[{0}].last\t{1}",
                           counters[pair.Key].CounterName, pair.Value);
    }
  }

  static class LogCounts {
    static int Main (string[] args)
    {
      Console.OutputEncoding = new UTF8Encoding (false); // whatever the locale is
      using (var file = File.OpenRead (args[0])) {
        var counts = new Counts ();
        var processor = new LogProcessor (new LogStream (file), counts, null);
        processor.Process ();
        counts.Finish (processor.StreamHeader);
        counts.Print ();
      }
      return 0;
    }
  }
}
