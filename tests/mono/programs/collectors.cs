// collectors THREADS [native]: threads allocate, so that old objects are collected while the program runs.  With
// "native", threads of native code call a managed method, 50 times each.
//
// Prints the collections of the young generation until its end.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  static class Collectors {
    delegate int Callback (int number);

    [DllImport ("callers")]
    static extern void call_from_threads (int threads, int times, Callback callback);

    [MethodImpl (MethodImplOptions.NoInlining)]
    static int Inner (int number) { return number ^ 3; }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static int Called (int number)
    {
      try {
        if (number % 3 == 0)
          throw new InvalidOperationException ();
      } catch (InvalidOperationException) {
      }
      return Inner (number) + new object[20].Length;
    }

    static void Allocate ()
    {
      var kept = new List<object> ();
      for (int i = 0; i < 300000; i++) {
        kept.Add (new byte[200]);
        if (kept.Count > 60000)
          kept.RemoveRange (0, 30000);
      }
    }

    static void Main (string[] args)
    {
      var threads = new List<Thread> ();
      for (int i = 0; i < int.Parse (args[0]); i++)
        threads.Add (new Thread (Allocate));
      threads.ForEach (thread => thread.Start ());
      threads.ForEach (thread => thread.Join ());
      if (args.Length > 1) {
        Callback callback = Called;
        call_from_threads (4, 50, callback);
        GC.KeepAlive (callback);
      }
      GC.Collect (0); // the line below needs none then
      Console.WriteLine ("collections:0 " + GC.CollectionCount (0));
    }
  }
}
