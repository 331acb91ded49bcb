// Finalizers in several rounds: of own types, of one that comes back to life, of the library's.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  class Ended { ~Ended () { Interlocked.Increment (ref Finalizers.ended); } }
  class Derived : Ended { ~Derived () { Interlocked.Increment (ref Finalizers.ended); } }

  class Back {
    public int Lives;
    ~Back ()
    {
      if (Lives-- > 0) {
        Finalizers.back.Add (this);
        GC.ReRegisterForFinalize (this);
      }
    }
  }

  static class Finalizers {
    public static int ended;
    public static readonly List<Back> back = new List<Back> ();

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Make (int n)
    {
      for (int i = 0; i < n; i++) {
        object made = i % 2 == 0 ? new Ended () : new Derived ();
        if (i % 10 == 9)
          GC.SuppressFinalize (made);
      }
      new Back { Lives = 2 };
      new ManualResetEvent (false);
    }

    static int Main ()
    {
      for (int round = 0; round < 4; round++) {
        var thread = new Thread (() => Make (50));   // so that no stack keeps them
        thread.Start ();
        thread.Join ();
        lock (back)
          back.Clear ();
        GC.Collect ();
        GC.WaitForPendingFinalizers ();
      }
      return ended > 0 ? 0 : 1;
    }
  }
}
