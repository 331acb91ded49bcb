// starve N: N tasks of the thread pool block on what needs another of its threads, as code does that is synchronous
// over asynchronous.  The pool adds a thread each half second only, so that all wait.
//
// Prints the processor time that the process used: "cpu NS".
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Probe {
  static class Starve {
    static async Task<int> Answer (int i)
    {
      await Task.Delay (20);
      return i;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static int Handle (int i)
    {
      return Task.Run (() => Answer (i)).Result;
    }

    static void Main (string[] args)
    {
      ThreadPool.SetMinThreads (2, 2);
      var all = new Task[int.Parse (args[0])];
      for (int i = 0; i < all.Length; i++) {
        int n = i;
        all[i] = Task.Run (() => Handle (n));
      }
      Task.WaitAll (all);
      Console.WriteLine ("cpu {0:0}", Process.GetCurrentProcess ().TotalProcessorTime.TotalMilliseconds * 1e6);
    }
  }
}
