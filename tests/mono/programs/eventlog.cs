// Threads with names, one that allocates, exceptions, collections; then, if requested, a sudden end.
// Prints what it did, the collections as of when it throws Finished.
using System;
using System.Diagnostics;
using System.Threading;

namespace Probe {
  class Odd : Exception { }
  class Even : Exception { }
  class Finished : Exception { }
  class Node { public long A, B, C; } // 40 bytes

  static class Eventlog {
    const int Workers = 5, Nodes = 20000;
    static Node kept;

    static void Throw (Exception e)
    {
      try {
        throw e;
      } catch (Exception) {
      }
    }

    static void Work ()
    {
      for (int i = 0; i < 10; i++)
        Thread.Sleep (1);
    }

    static void Allocate ()
    {
      for (int i = 0; i < Nodes; i++)
        kept = new Node ();
    }

    static void Run (string name, ThreadStart what)
    {
      var thread = new Thread (what);
      thread.Name = name;
      thread.Start ();
      thread.Join ();
    }

    static void Main (string[] args)
    {
      int throws = args.Length > 0 ? int.Parse (args[0]) : 100, odd = 0, even = 0;
      for (int i = 0; i < Workers; i++)
        Run ("worker-" + i, Work);
      Run ("allocator", Allocate);
      for (int i = 0; i < throws; i++) {
        if (i % 3 == 0) {
          Throw (new Odd ());
          odd++;
        } else {
          Throw (new Even ());
          even++;
        }
      }
      var garbage = new byte[100][];
      for (int i = 0; i < 20000; i++)
        garbage[i % garbage.Length] = new byte[1000];
      GC.Collect (0);
      GC.Collect ();
      Console.WriteLine ("workers {0}", Workers);
      Console.WriteLine ("allocated {0}", 40 * Nodes);
      Console.WriteLine ("odd {0}", odd);
      Console.WriteLine ("even {0}", even);
      Console.Out.Flush ();
      int minor = GC.CollectionCount (0), major = GC.CollectionCount (1);
      Throw (new Finished ());
      Console.WriteLine ("minor {0}", minor);
      Console.WriteLine ("major {0}", major);
      if (args.Length > 1)
        Process.GetCurrentProcess ().Kill ();
    }
  }
}
