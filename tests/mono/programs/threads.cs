// threads [THREADS [OBJECTS]]: many short threads, each of which allocates a few objects.  Prints at last how
// much memory the process had at most, in KiB.
using System;
using System.Threading;

namespace Probe {
  class Item { public long Value; }

  static class Threads {
    const int at_once = 20;
    static long made;
    static int each;
    [ThreadStatic] static Item last;

    static void Work ()
    {
      for (int i = 0; i < each; i++)
        last = new Item { Value = i };
      Interlocked.Add (ref made, each);
    }

    static int Main (string[] args)
    {
      int count = args.Length > 0 ? int.Parse (args[0]) : 1000;
      each = args.Length > 1 ? int.Parse (args[1]) : 37;
      var running = new Thread[at_once];
      for (int started = 0; started < count; started++) {
        int slot = started % at_once;
        if (running[slot] != null)
          running[slot].Join ();
        running[slot] = new Thread (Work);
        running[slot].Start ();
      }
      foreach (var thread in running)
        if (thread != null)
          thread.Join ();
      Console.WriteLine ("objects:Probe.Item {0}", made);
      foreach (var line in System.IO.File.ReadAllLines ("/proc/self/status"))
        if (line.StartsWith ("VmHWM:"))
          Console.WriteLine ("peak {0}", line.Split (new[] { ' ', '\t' }, StringSplitOptions.RemoveEmptyEntries)[1]);
      return 0;
    }
  }
}
