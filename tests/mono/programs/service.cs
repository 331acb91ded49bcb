// service IDLE: a service with this many threads that are idle, one that works and one that waits for its lock.
// It works until a line "rest" comes, and again from "go" on, in turn; each is answered by "done".
//
// Prints "throws N" after each exception.  At "rest" prints what it did up to now: "objects N" at least,
// "collections:GENERATION N", "contentions N", and "threads N", those of the runtime included.
using System;
using System.Threading;

namespace Probe {
  class Item { public long Number; }
  class Trouble : Exception {}

  static class Service {
    static readonly object gate = new object ();
    static readonly AutoResetEvent ask = new AutoResetEvent (false), acquired = new AutoResetEvent (false);
    static readonly AutoResetEvent rests = new AutoResetEvent (false), goes = new AutoResetEvent (false);
    static volatile bool wants, wantsRest;
    static Thread waiter;
    static Item[] kept = new Item[1000];
    static long objects, throws, contentions;

    static void Wait ()
    {
      for (;;) {
        ask.WaitOne ();
        wants = true;
        lock (gate)
          wants = false;
        acquired.Set ();
      }
    }

    // The lock is given away only when the other thread is seen to wait for it.
    static void Contend ()
    {
      lock (gate) {
        ask.Set ();
        while (!wants || (waiter.ThreadState & ThreadState.WaitSleepJoin) == 0)
          Thread.Sleep (1);
        contentions++;
      }
      acquired.WaitOne ();
    }

    static void Step (int number)
    {
      for (int i = 0; i < 20; i++)
        kept[objects++ % kept.Length] = new Item { Number = i };
      try {
        throw new Trouble ();
      } catch (Trouble) {
        Console.WriteLine ("throws {0}", ++throws);
      }
      if (number % 5 == 0)
        GC.Collect (0);
      if (number % 20 == 0)
        GC.Collect ();
      if (number % 4 == 0)
        Contend ();
    }

    static void Work ()
    {
      for (int i = 0;; i++) {
        if (wantsRest) {
          rests.Set ();
          goes.WaitOne ();
        }
        Step (i);
        Thread.Sleep (10);
      }
    }

    static void Print (int idle)
    {
      Console.WriteLine ("objects {0}\ncollections:0 {1}\ncollections:1 {2}\ncontentions {3}\nthreads {4}", objects,
                         GC.CollectionCount (0), GC.CollectionCount (1), contentions,
                         idle + 4);
    }

    static int Main (string[] arguments)
    {
      int idle = Int32.Parse (arguments[0]);
      for (int i = 0; i < idle; i++)
        new Thread (() => Thread.Sleep (Timeout.Infinite)) { IsBackground = true }.Start ();
      waiter = new Thread (Wait) { IsBackground = true };
      waiter.Start ();
      new Thread (Work) { IsBackground = true }.Start ();
      for (string line; (line = Console.ReadLine ()) != null;) {
        // Two threads that print at a time would contend, too.
        wantsRest = line == "rest";
        if (wantsRest) {
          rests.WaitOne ();
          Print (idle);
        }
        Console.WriteLine ("done");
        if (!wantsRest)
          goes.Set ();
      }
      return 0;
    }
  }
}
