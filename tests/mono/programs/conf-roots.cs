// What keeps objects alive, at three heap shots: static, thread static and context static fields, GC
// handles, stacks, a finalizer queue, a conditional weak table.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  class Held { public object Other; public long Number; }
  class Late { public Held Held; ~Late () { RootsOf.finalized++; } }

  static class RootsOf {
    static Held of_static;
    static List<Held> list = new List<Held> ();
    [ThreadStatic] static Held of_thread;
    [ContextStatic] static Held of_context;
    static readonly ConditionalWeakTable<Held, Held> table = new ConditionalWeakTable<Held, Held> ();
    public static int finalized;

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void MakeLate (int n)
    {
      for (int i = 0; i < n; i++)
        new Late { Held = new Held { Number = i } };
    }

    static int Main ()
    {
      of_static = new Held { Other = new Held () };
      of_thread = new Held ();
      of_context = new Held ();
      for (int i = 0; i < 300; i++)
        list.Add (new Held { Other = i > 0 ? list[i - 1] : null });
      var wide = new object[1000];   // more references than one event of the log holds
      for (int i = 0; i < wide.Length; i++)
        wide[i] = list[i % list.Count];
      of_static.Other = wide;
      table.Add (of_static, new Held ());
      var normal = GCHandle.Alloc (new Held ());
      var pinned = GCHandle.Alloc (new byte[64], GCHandleType.Pinned);
      var weak = GCHandle.Alloc (list[0], GCHandleType.Weak);
      var on_stack = new Held ();
      GC.Collect ();

      using (var ready = new CountdownEvent (3))
      using (var go = new ManualResetEvent (false)) {
        var threads = new Thread[3];
        for (int i = 0; i < threads.Length; i++) {
          threads[i] = new Thread (() => {
            of_thread = new Held ();
            var local = new Held { Other = of_thread };
            ready.Signal ();
            go.WaitOne ();
            GC.KeepAlive (local);
          });
          threads[i].Start ();
        }
        ready.Wait ();
        MakeLate (20);
        GC.Collect ();
        go.Set ();
        foreach (var thread in threads)
          thread.Join ();
      }
      GC.WaitForPendingFinalizers ();
      list = null;
      normal.Free ();
      pinned.Free ();
      weak.Free ();
      GC.Collect ();
      GC.KeepAlive (on_stack);
      return of_static != null ? 0 : 1;
    }
  }
}
