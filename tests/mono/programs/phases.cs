// phases alloc|qsort: phases of work that leave a method's own code: they allocate, or call the C library.
//
// Prints the processor time of each phase by the thread's own clock.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Probe {
  static class Phases {
    struct Timespec {
      public long Seconds, Nanoseconds;
    }

    delegate int Comparer (ref long a, ref long b);

    [DllImport ("libc")]
    static extern int clock_gettime (int clock, out Timespec time);

    [DllImport ("libc")]
    static extern void qsort ([In, Out] long[] items, IntPtr count, IntPtr size, IntPtr compare);

    [DllImport ("libc", EntryPoint = "qsort")]
    static extern void qsort_managed ([In, Out] long[] items, IntPtr count, IntPtr size, Comparer compare);

    [DllImport ("libdl.so.2")]
    static extern IntPtr dlsym (IntPtr handle, string name);

    const int ThreadCpuClock = 3;
    static object sink;
    static readonly Random random = new Random (1);

    static long Now ()
    {
      Timespec time;
      clock_gettime (ThreadCpuClock, out time);
      return time.Seconds * 1000000000 + time.Nanoseconds;
    }

    // Zeros end the strings that a number's bytes are.
    static long[] Numbers (int n)
    {
      var numbers = new long[n];
      for (int i = 0; i < n; i++)
        numbers[i] = random.Next () % 0x1000000 | 0x101;
      return numbers;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Text (long end)
    {
      for (int i = 0; Now () < end; i++) {
        var parts = new List<string> ();
        for (int k = 0; k < 2000; k++)
          parts.Add ((k * i).ToString ());
        sink = string.Join (" ", parts);
      }
    }

    class Node { public Node Left, Right; }

    static Node Grow (int depth)
    {
      return depth == 0 ? new Node () : new Node { Left = Grow (depth - 1), Right = Grow (depth - 1) };
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Trees (long end)
    {
      while (Now () < end)
        sink = Grow (12);
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Sort (long end)
    {
      IntPtr compare = dlsym (IntPtr.Zero, "strcmp");
      while (Now () < end)
        qsort (Numbers (20000), (IntPtr) 20000, (IntPtr) 8, compare);
    }

    static int Compare (ref long a, ref long b)
    {
      return a.CompareTo (b);
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void SortManaged (long end)
    {
      while (Now () < end)
        qsort_managed (Numbers (5000), (IntPtr) 5000, (IntPtr) 8, Compare);
    }

    static void Measure (Action<long> phase, long ns)
    {
      long start = Now ();
      phase (start + ns);
      Console.WriteLine ("cpu\t{0}\t{1}", phase.Method.Name, Now () - start);
    }

    static int Main (string[] args)
    {
      if (args[0] == "alloc") {
        Measure (Text, 700000000);
        Measure (Trees, 900000000);
      } else {
        Measure (Sort, 900000000);
        Measure (SortManaged, 700000000);
      }
      return 0;
    }
  }
}
