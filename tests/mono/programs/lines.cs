// lines ROUNDS: works in lines that are marked with "hot NAME", and prints the processor time of each.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Probe {
  static class Lines {
    struct Timespec {
      public long Seconds, Nanoseconds;
    }

    const int ThreadCpuClock = 3;

    [DllImport ("libc")]
    static extern int clock_gettime (int clock, out Timespec time);

    static long Now ()
    {
      Timespec time;
      clock_gettime (ThreadCpuClock, out time);
      return time.Seconds * 1000000000 + time.Nanoseconds;
    }

    static double sink;

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Two (int rounds)
    {
      double x = 1;
      long start = Now ();
      for (int i = 0; i < rounds; i++) { x = x * 1.0000001 + i; x = x / 1.0000002 + 1; } // hot first
      long middle = Now ();
      for (int i = 0; i < rounds; i++) { x = i / (x + 1); x = i / (x + 2); x = i / (x + 3); } // hot second
      long end = Now ();
      sink += x;
      Console.WriteLine ("cpu\tfirst\t{0}", middle - start);
      Console.WriteLine ("cpu\tsecond\t{0}", end - middle);
    }

    // Work in a library without debug information counts for the line that calls it.
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Caller (int rounds)
    {
      var items = new int[rounds / 16];
      long start = Now ();
      for (int i = 0; i < items.Length; i++) items[i] = (int) ((uint) i * 2654435761u >> 1);
      long middle = Now ();
      Array.Sort (items); // hot sort
      Console.WriteLine ("cpu\tsort\t{0}", Now () - middle);
      sink += items[0] + start;
    }

    static void Main (string[] args)
    {
      Two (int.Parse (args[0])); // calls Two
      Caller (int.Parse (args[0]));
    }
  }
}
