// counters N: N rounds of some 300 ms, each with a minor collection that it asks for; prints how many
// minor collections there were.
using System;
using System.Threading;

namespace Probe {
  static class Counters {
    static object sink;

    static int Main (string[] args)
    {
      int rounds = int.Parse (args[0]);
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 10000; i++)
          sink = new byte[64];
        GC.Collect (0);
        Thread.Sleep (300);
      }
      Console.WriteLine ("minor {0}", GC.CollectionCount (0) - GC.CollectionCount (1));
      return sink == null ? 1 : 0;
    }
  }
}
