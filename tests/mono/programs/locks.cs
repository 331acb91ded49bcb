// Contended locks.  A holder gives a lock away only when it has seen that the other thread waits,
// so that each contention is certain.
using System;
using System.Threading;

namespace Probe {
  class Lock { }

  static class Locks {
    static long contentions, acquired, failures;

    static void WaitUntilBlocked (Thread thread)
    {
      while ((thread.ThreadState & ThreadState.WaitSleepJoin) == 0)
        Thread.Sleep (1);
    }

    // One thread waits for `gate` and gets it when this one has let it wait for a while.
    static void Contend (Lock gate, int wait_ms)
    {
      Thread waiter;
      lock (gate) {
        waiter = new Thread (() => {
          lock (gate)
            acquired++;
        });
        waiter.Start ();
        WaitUntilBlocked (waiter);
        contentions++;
        Thread.Sleep (wait_ms);
      }
      waiter.Join ();
    }

    // One thread waits for `gate` with a time-out and does not get it.
    static void Fail (Lock gate)
    {
      lock (gate) {
        var waiter = new Thread (() => {
          contentions++;
          if (Monitor.TryEnter (gate, 5))
            Environment.Exit (1);
          failures++;
        });
        waiter.Start ();
        waiter.Join ();
      }
    }

    static int Main ()
    {
      var first = new Lock ();
      var second = new Lock ();
      var free = new Lock ();
      for (int i = 0; i < 10; i++)
        Contend (first, 2);
      for (int i = 0; i < 5; i++)
        Contend (second, 4);
      for (int i = 0; i < 3; i++)
        Fail (second);
      for (int i = 0; i < 1000; i++)
        lock (free)
          if (!Monitor.IsEntered (free))
            return 1;
      Console.WriteLine ("contentions {0}", contentions);
      Console.WriteLine ("acquired {0}", acquired);
      Console.WriteLine ("failed {0}", failures);
      Console.WriteLine ("contended_locks 2");
      Console.WriteLine ("wait_ms {0}", 10 * 2 + 5 * 4 + 3 * 5);
      return 0;
    }
  }
}
