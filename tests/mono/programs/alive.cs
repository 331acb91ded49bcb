// Threads that are alive when the program ends: their objects must not be lost.
using System;
using System.Threading;

namespace Probe {
  class Alive { public long Value; }

  static class Program {
    const int threads = 3, each = 5000;
    static readonly CountdownEvent done = new CountdownEvent (threads);
    [ThreadStatic] static Alive last;

    static int Main ()
    {
      for (int i = 0; i < threads; i++)
        new Thread (() => {
          for (int n = 0; n < each; n++)
            last = new Alive { Value = n };
          done.Signal ();
          Thread.Sleep (Timeout.Infinite);
        }) { IsBackground = true }.Start ();
      done.Wait ();
      Console.WriteLine ("objects:Probe.Alive {0}", threads * each);
      return 0;
    }
  }
}
