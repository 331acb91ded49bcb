// mixed THOUSANDS: threads that do something of every event class until there are about so many thousands of
// events.  Prints what it did.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  class Small {
    public int A;
  }

  class Held {
    public Held Next;
    public byte[] Bytes;
  }

  class Gate { }

  class Refused : Exception { }

  class Finalized {
    public static int Count;
    ~Finalized () { Interlocked.Increment (ref Count); }
  }

  static class Mixed {
    const int Workers = 4, SmallObjects = 800, Throws = 4, FibonacciOf = 17, FibonacciCalls = 5167;
    static readonly Gate gate = new Gate ();
    static Held held;
    static object last;
    static int throws;

    static int Fibonacci (int n) { return n < 2 ? n : Fibonacci (n - 1) + Fibonacci (n - 2); }

    static void Allocate ()
    {
      for (int i = 0; i < SmallObjects; i++)
        last = new Small ();
      last = new Finalized ();
    }

    static void Throw (int n)
    {
      try {
        if (n % 2 == 0)
          throw new Refused ();
        throw new InvalidOperationException ("an odd one");
      } catch (Refused) {
        Interlocked.Increment (ref throws);
      } catch (InvalidOperationException) {
      } finally {
        last = null;
      }
    }

    static void Contend ()
    {
      lock (gate)
        Thread.Sleep (1);
    }

    static void Hold ()
    {
      var handle = GCHandle.Alloc (new Held (), GCHandleType.Pinned);
      handle.Free ();
      lock (gate)
        held = new Held { Next = held, Bytes = new byte[40] };
    }

    static void Work (object argument)
    {
      int rounds = (int) argument;
      for (int i = 0; i < rounds; i++) {
        Fibonacci (FibonacciOf);
        Allocate ();
        for (int n = 0; n < Throws; n++)
          Throw (n);
        for (int n = 0; n < 10; n++)
          Hold ();
        if (i % 4 == 0)
          Contend ();
      }
    }

    static void Phase (string name, int rounds)
    {
      Proflog.Log.Mark (name);
      var threads = new Thread[Workers];
      for (int i = 0; i < Workers; i++) {
        threads[i] = new Thread (Work) { Name = "worker " + i };
        threads[i].Start (rounds);
      }
      foreach (var thread in threads)
        thread.Join ();
      GC.Collect ();
      Proflog.Log.HeapShot ();
    }

    static int Main (string[] arguments)
    {
      // A round has about 16,400 events: two for each call, some for each object and exception.
      const int phases = 3, eventsOfRound = 16400;
      int rounds = (int) (long.Parse (arguments[0]) * 1000 / eventsOfRound / phases / Workers) + 1;
      for (int phase = 1; phase <= phases; phase++)
        Phase ("phase " + phase, rounds);
      GC.WaitForPendingFinalizers ();
      long all = (long) rounds * phases * Workers;
      Console.WriteLine ("calls:Probe.Mixed:Fibonacci (int) {0}", all * FibonacciCalls);
      Console.WriteLine ("calls:Probe.Mixed:Throw (int) {0}", all * Throws);
      Console.WriteLine ("objects:Probe.Small {0}", all * SmallObjects);
      Console.WriteLine ("objects:Probe.Finalized {0}", all);
      Console.WriteLine ("throws:Probe.Refused {0}", throws);
      Console.WriteLine ("throws:System.InvalidOperationException {0}", all * Throws / 2);
      Console.WriteLine ("marks {0}", phases);
      return 0;
    }
  }
}
