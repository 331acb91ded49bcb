// sleepers: one thread that works, in two methods, and six that sleep; all have names.  Prints the processor
// time of the methods by the thread's own clock, and how long all six slept.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  static class Sleepers {
    struct Timespec {
      public long Seconds, Nanoseconds;
    }

    [DllImport ("libc")]
    static extern int clock_gettime (int clock, out Timespec time);

    static double sink;

    static long Now ()
    {
      Timespec time;
      clock_gettime (3, out time);
      return time.Seconds * 1000000000 + time.Nanoseconds;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Hot ()
    {
      for (int i = 0; i < 4000000; i++)
        sink += Math.Sqrt (i);
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Warm ()
    {
      for (int i = 0; i < 1000000; i++)
        sink += Math.Sqrt (i);
    }

    static void Main ()
    {
      for (int i = 0; i < 6; i++)
        new Thread (() => Thread.Sleep (100000)) { IsBackground = true, Name = "sleeper " + i }.Start ();
      Thread.CurrentThread.Name = "worker";
      var slept = System.Diagnostics.Stopwatch.StartNew ();
      long hot = 0, warm = 0;
      for (long start = Now (); Now () < start + 1500000000;) {
        long before = Now ();
        Hot ();
        long between = Now ();
        Warm ();
        hot += between - before;
        warm += Now () - between;
      }
      Console.WriteLine ("hot {0}", hot);
      Console.WriteLine ("slept " + slept.ElapsedMilliseconds * 1000000);
      Console.WriteLine ("warm {0}", warm);
    }
  }
}
