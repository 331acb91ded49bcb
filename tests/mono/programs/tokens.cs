// tokens FILE: two threads allocate tokens until FILE is there.  Prints "tokens N".
using System;
using System.IO;
using System.Threading;

namespace Probe {
  class Token { public long Value; }

  static class Tokens {
    static volatile bool over;
    static long all;
    static object sink;

    static void Work ()
    {
      long own = 0;
      while (!over) {
        for (int i = 0; i < 200; i++)
          sink = new Token { Value = own++ };
        Thread.Sleep (1);
      }
      Interlocked.Add (ref all, own);
    }

    static void Main (string[] args)
    {
      var threads = new[] { new Thread (Work), new Thread (Work) };
      sink = new byte[32 << 20]; // so the heap is resized once
      GC.Collect ();
      foreach (var thread in threads)
        thread.Start ();
      while (!File.Exists (args[0]))
        Thread.Sleep (5);
      over = true;
      foreach (var thread in threads)
        thread.Join ();
      Console.WriteLine ("tokens " + all);
    }
  }
}
