// longrun SECONDS [ROUNDS]: threads that call, allocate and throw as fast as they can, for so long or until they have
// thrown so often; the truth is printed at the end.  (No thread comes and goes: the runtime itself grows by a KiB for
// each.)
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  class Item { public long Number; }
  class Trouble : Exception { }

  static class LongRun {
    const int Threads = 3;
    static long items, calls, throws;
    static volatile bool stop;

    [MethodImpl (MethodImplOptions.NoInlining)]
    static long Work (Item item)
    {
      return item.Number;
    }

    static void Some ()
    {
      long sum = 0;
      for (int i = 0; i < 1000; i++) {
        var item = new Item { Number = i };
        for (int k = 0; k < 20; k++)
          sum += Work (item);
      }
      try {
        throw new Trouble ();
      } catch (Trouble) {
      }
      Interlocked.Add (ref items, 1000);
      Interlocked.Add (ref calls, 20000);
      Interlocked.Increment (ref throws);
      GC.KeepAlive (sum);
    }

    static void Loop ()
    {
      while (!stop)
        Some ();
    }

    static void Main (string[] args)
    {
      var threads = new Thread[Threads];
      for (int i = 0; i < Threads; i++)
        (threads[i] = new Thread (Loop)).Start ();
      long rounds = args.Length > 1 ? long.Parse (args[1]) : long.MaxValue;
      var clock = Stopwatch.StartNew ();
      while (clock.Elapsed.TotalSeconds < int.Parse (args[0]) && Interlocked.Read (ref throws) < rounds)
        Thread.Sleep (100);
      stop = true;
      foreach (var t in threads)
        t.Join ();
      Console.WriteLine ("objects:Probe.Item {0}\ncalls:Probe.LongRun:Work (Probe.Item) {1}\nthrows:Probe.Trouble {2}",
                         items, calls, throws);
    }
  }
}
