// herd N MS: starts N threads, each of which sleeps for so long after all have started.
using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  static class Herd {
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Sleeps (int milliseconds)
    {
      Thread.Sleep (milliseconds);
    }

    static void Main (string[] args)
    {
      int count = int.Parse (args[0]), milliseconds = int.Parse (args[1]);
      var started = new CountdownEvent (count);
      var threads = new Thread[count];
      for (int i = 0; i < count; i++) {
        threads[i] = new Thread (() => {
          started.Signal ();
          started.Wait ();
          Sleeps (milliseconds);
        });
        threads[i].Start ();
      }
      foreach (var thread in threads)
        thread.Join ();
    }
  }
}
