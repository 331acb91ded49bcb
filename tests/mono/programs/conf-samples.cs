// conf-samples [MS]: keeps two threads busy for a while, in own code, in the library and in native code.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  static class Samples {
    static double sum;

    [MethodImpl (MethodImplOptions.NoInlining)]
    static int Fib (int n) { return n < 2 ? n : Fib (n - 1) + Fib (n - 2); }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static double Sines (int n)
    {
      double result = 0;
      for (int i = 0; i < n; i++)
        result += Math.Sin (i);
      return result;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static int Texts (int n)
    {
      string text = "";
      for (int i = 0; i < n; i++)
        text = text.Length > 500 ? i.ToString () : text + i;
      return text.Length;
    }

    static void Work (int ms)
    {
      var clock = Stopwatch.StartNew ();
      while (clock.ElapsedMilliseconds < ms)
        sum += Fib (20) + Sines (50000) + Texts (2000);
    }

    static int Main (string[] args)
    {
      int ms = args.Length > 0 ? int.Parse (args[0]) : 500;
      var thread = new Thread (() => Work (ms)) { Name = "second worker" };
      thread.Start ();
      Work (ms);
      thread.Join ();
      return sum > 0 ? 0 : 1;
    }
  }
}
