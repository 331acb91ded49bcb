// native ROUNDS: calls native functions that use the processor, by P/Invoke: libnative's, and libc's qsort.
//
// Prints the processor time of each, by the thread's own clock.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Probe {
  static class Native {
    [DllImport ("native")]
    static extern double native_work (int rounds);

    struct Timespec {
      public long Seconds, Nanoseconds;
    }

    const int ThreadCpuClock = 3;

    [DllImport ("libc")]
    static extern int clock_gettime (int clock, out Timespec time);

    [DllImport ("libc")]
    static extern void qsort (int[] items, UIntPtr count, UIntPtr size, IntPtr compare);

    [DllImport ("native")]
    static extern IntPtr native_order ();

    static long Now ()
    {
      Timespec time;
      clock_gettime (ThreadCpuClock, out time);
      return time.Seconds * 1000000000 + time.Nanoseconds;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Work (int rounds)
    {
      native_work (rounds);
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Sort (int rounds)
    {
      var items = new int[200000];
      var compare = native_order ();
      uint random = 17;
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < items.Length; i++) {
          random = random * 1664525 + 1013904223;
          items[i] = (int) (random >> 1);
        }
        qsort (items, (UIntPtr) items.Length, (UIntPtr) 4, compare);
      }
    }

    static void Main (string[] args)
    {
      int rounds = int.Parse (args[0]);
      long start = Now ();
      Work (rounds);
      Console.WriteLine ("cpu\tWork\t{0}", Now () - start);
      start = Now ();
      Sort (rounds);
      Console.WriteLine ("cpu\tSort\t{0}", Now () - start);
    }
  }
}
