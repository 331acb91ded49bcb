// Faults that a report finds: exceptions that steer the program, a lock that all wait for, one type that is
// allocated all the time, and collections.  Without a fault it runs as long and does nothing of it.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace Probe {
  class Gate { }

  static class Findings {
    static byte[] last;

    static int Parse (int i)
    {
      try {
        throw new FormatException ();
      } catch (FormatException) {
        return i;
      }
    }

    static void Throw ()
    {
      for (int i = 0; i < 2000; i++)
        Parse (i);
    }

    // Each thread waits until the other lets go of the lock: for 20 ms, but at the end.
    static void Contend ()
    {
      var gate = new Gate ();
      var threads = new Thread[2];
      for (int t = 0; t < threads.Length; t++)
        (threads[t] = new Thread (() => {
          for (int i = 0; i < 15; i++) {
            lock (gate)
              Thread.Sleep (20);
            Thread.Sleep (1);
          }
        })).Start ();
      foreach (var thread in threads)
        thread.Join ();
    }

    static void Allocate ()
    {
      for (int i = 0; i < 200000; i++)
        last = new byte[1000];
    }

    // Collections until they are most of the time.
    static void Collect ()
    {
      var live = new object[200000];
      for (int i = 0; i < live.Length; i++)
        live[i] = new int[4];
      var clock = Stopwatch.StartNew ();
      while (clock.ElapsedMilliseconds < 600)
        GC.Collect ();
      GC.KeepAlive (live);
    }

    // Eight major collections, 1 MB more at each.
    static void Grow ()
    {
      var all = new List<byte[]> ();
      for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 1000; k++)
          all.Add (new byte[1000]);
        GC.Collect ();
      }
      GC.KeepAlive (all);
    }

    static int Main (string[] arguments)
    {
      switch (arguments[0]) {
      case "throw": Throw (); break;
      case "contend": Contend (); break;
      case "allocate": Allocate (); break;
      case "collect": Collect (); break;
      case "grow": Grow (); break;
      case "sleep": Thread.Sleep (2100); break;
      default: Thread.Sleep (200); break;
      }
      Console.WriteLine ("done 1");
      return 0;
    }
  }
}
