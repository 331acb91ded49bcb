// GC handles of all kinds: some freed, some not, from two threads, and with targets changed.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  class Target { public long Number; }

  static class HandlesOf {
    static readonly GCHandleType[] types = {
      GCHandleType.Weak, GCHandleType.WeakTrackResurrection, GCHandleType.Normal, GCHandleType.Pinned,
    };

    static void Make (int n)
    {
      var kept = new List<GCHandle> ();
      for (int i = 0; i < n; i++)
        foreach (var type in types)
          kept.Add (GCHandle.Alloc (type == GCHandleType.Pinned ? (object) new byte[i] : new Target (), type));
      for (int i = 0; i < kept.Count; i++)
        if (i % 3 != 0) {
          var handle = kept[i];
          handle.Free ();
        }
    }

    static int Main ()
    {
      var nothing = GCHandle.Alloc (null);
      Make (20);
      var thread = new Thread (() => Make (10));
      thread.Start ();
      thread.Join ();
      nothing.Target = new Target ();
      nothing.Free ();
      var references = new List<WeakReference> ();
      for (int i = 0; i < 10; i++)
        references.Add (new WeakReference (new Target (), i % 2 == 0));
      GC.Collect ();
      references.Clear ();
      GC.Collect ();
      GC.WaitForPendingFinalizers ();
      return 0;
    }
  }
}
