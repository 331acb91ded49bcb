// conf-threads [THREADS]: short threads with names, some of which change them, and one that outlives Main.
using System;
using System.Threading;

namespace Probe {
  class Item { public long Value; }

  static class ShortThreads {
    const int at_once = 16;
    static long made;

    static void Work (object number)
    {
      for (int i = 0; i < 5; i++)
        new Item { Value = i };
      Interlocked.Add (ref made, 5);
    }

    static int Main (string[] args)
    {
      int count = args.Length > 0 ? int.Parse (args[0]) : 2000;
      var running = new Thread[at_once];
      for (int i = 0; i < count; i++) {
        int slot = i % at_once;
        if (running[slot] != null)
          running[slot].Join ();
        running[slot] = new Thread (Work);
        if (i % 4 != 0)
          running[slot].Name = i % 100 == 1 ? "Fädchen № " + i : "worker " + i;
        running[slot].Start (i);
      }
      foreach (var thread in running)
        if (thread != null)
          thread.Join ();
      var started = new ManualResetEvent (false);
      new Thread (() => { started.Set (); Thread.Sleep (Timeout.Infinite); }) { IsBackground = true, Name = "last" }.Start ();
      started.WaitOne ();
      return made == 5L * count ? 0 : 1;
    }
  }
}
