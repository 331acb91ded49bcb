// Exceptions that one thread makes and others throw, while objects come, go and move: where the types
// are known by allocations alone, these stand in other buffers than the throws.  At last they wait for
// a lock.
// Prints "throws:TYPE N".
using System;
using System.Collections.Generic;
using System.Threading;

namespace Probe {
  class Red : Exception { }
  class Green : Exception { }
  class Blue : Exception { }
  class Gate { }

  static class Types {
    static readonly Queue<Exception> made = new Queue<Exception> ();
    static readonly Gate gate = new Gate ();
    static readonly int[] thrown = new int[3];
    static bool done;

    static void Work ()
    {
      for (;;) {
        Exception e = null;
        lock (made) {
          if (made.Count > 0)
            e = made.Dequeue ();
          else if (done)
            break;
        }
        if (e == null) {
          Thread.Yield ();
          continue;
        }
        try {
          throw e;
        } catch (Red) {
          Interlocked.Increment (ref thrown[0]);
        } catch (Green) {
          Interlocked.Increment (ref thrown[1]);
        } catch (Blue) {
          Interlocked.Increment (ref thrown[2]);
        }
      }
      lock (gate)
        Thread.Sleep (1);
    }

    static Exception Make (int kind)
    {
      return kind == 0 ? new Red () : kind == 1 ? (Exception) new Green () : new Blue ();
    }

    static void Main ()
    {
      var threads = new Thread[2];
      for (int i = 0; i < threads.Length; i++) {
        threads[i] = new Thread (Work);
        threads[i].Start ();
      }
      var random = new Random (1);
      object other = null;
      for (int i = 0; i < 3000; i++) {
        lock (made)
          made.Enqueue (Make (Math.Min (random.Next (10), 2)));
        for (int j = 0; j < 5; j++)
          other = new byte[200 + random.Next (800)];
        if (i % 100 == 0)
          GC.Collect ();
      }
      lock (gate) {
        lock (made)
          done = true;
        foreach (var thread in threads)
          while ((thread.ThreadState & ThreadState.WaitSleepJoin) == 0)
            Thread.Sleep (1);
        Thread.Sleep (20);
      }
      foreach (var thread in threads)
        thread.Join ();
      GC.KeepAlive (other);
      Console.WriteLine ("throws:Probe.Red {0}", thrown[0]);
      Console.WriteLine ("throws:Probe.Green {0}", thrown[1]);
      Console.WriteLine ("throws:Probe.Blue {0}", thrown[2]);
    }
  }
}
