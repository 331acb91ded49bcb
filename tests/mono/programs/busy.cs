// Threads that call, allocate, throw and wait for one lock, for some tenths of a second: every second of its
// log has some of everything.
using System;
using System.Collections.Generic;
using System.Threading;

namespace Probe {
  class Gate { }

  static class Busy {
    static readonly Gate gate = new Gate ();
    static readonly List<byte[]> retained = new List<byte[]> ();

    static int Fibonacci (int n)
    {
      return n < 2 ? n : Fibonacci (n - 1) + Fibonacci (n - 2);
    }

    static void Throw (int i)
    {
      try {
        if (i % 3 == 0)
          throw new InvalidOperationException ("one of three");
      } catch (InvalidOperationException) {
      }
    }

    static void Allocate ()
    {
      for (int i = 0; i < 500; i++) {
        var bytes = new byte[1000];
        if (i % 50 == 0)
          lock (retained)
            retained.Add (bytes);
      }
    }

    static void Work (object rounds)
    {
      for (int i = 0; i < (int) rounds; i++) {
        lock (gate)
          Thread.Sleep (3);
        Fibonacci (12);
        Throw (i);
        Allocate ();
        if (i % 10 == 9)
          GC.Collect ();
      }
    }

    static void Main (string[] arguments)
    {
      var threads = new List<Thread> ();
      for (int i = 0; i < 3; i++) {
        threads.Add (new Thread (Work) { Name = "worker " + i });
        threads[i].Start (int.Parse (arguments[0]));
      }
      foreach (Thread thread in threads)
        thread.Join ();
    }
  }
}
