// N live objects of 40 bytes, COLLECTIONS collections.  A thread looks at the clock; prints the longest gap that it
// saw around each collection, in ms.
using System;
using System.Diagnostics;
using System.Threading;

namespace Bench {
  class Node { public Node Next, Other; public long Number; }

  static class StopHeap {
    static readonly Node[] lists = new Node[1000];
    static volatile bool isOver;
    static long longest; // ticks

    static void Watch ()
    {
      long last = Stopwatch.GetTimestamp ();
      while (!isOver) {
        long now = Stopwatch.GetTimestamp ();
        if (now - last > Interlocked.Read (ref longest))
          Interlocked.Exchange (ref longest, now - last);
        last = now;
        Thread.Sleep (1);
      }
    }

    static int Main (string[] arguments)
    {
      int objects = int.Parse (arguments[0]), collections = int.Parse (arguments[1]);
      var random = new Random (1);
      for (int i = 0; i < objects; i++)
        lists[i % 1000] = new Node { Next = lists[i % 1000], Other = lists[random.Next (1000)], Number = i };
      var watcher = new Thread (Watch);
      watcher.Start ();
      for (int i = 0; i < collections; i++) {
        Thread.Sleep (2500); // the snapshot before is recorded
        Interlocked.Exchange (ref longest, 0);
        GC.Collect ();
        Thread.Sleep (5);
        Console.WriteLine ("{0:F1}", Interlocked.Read (ref longest) * 1000.0 / Stopwatch.Frequency);
      }
      isOver = true;
      watcher.Join ();
      return 0;
    }
  }
}
