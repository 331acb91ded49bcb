// burn SEED [SIGNAL]: threads that work and threads that wait, as many and as long as random numbers say.
//
// Prints the processor time of each method that works, by the clocks of the threads themselves, and the
// ids of the threads that wait all the time.  With SIGNAL the program ignores that signal from then on, as
// if it were its own.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  static class Burn {
    struct Timespec {
      public long Seconds, Nanoseconds;
    }

    [DllImport ("libc")]
    static extern IntPtr signal (int number, IntPtr handler);

    static readonly IntPtr Ignore = new IntPtr (1);
    const int ThreadCpuClock = 3;

    [DllImport ("libc")]
    static extern int clock_gettime (int clock, out Timespec time);

    [DllImport ("libc")]
    static extern IntPtr pthread_self ();

    static long Now ()
    {
      Timespec time;
      clock_gettime (ThreadCpuClock, out time);
      return time.Seconds * 1000000000 + time.Nanoseconds;
    }

    static double sink;

    // Each of these works until the thread has used so many ns more.
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Multiply (long end)
    {
      double x = 1;
      do {
        for (int i = 0; i < 200000; i++)
          x = x * 1.0000001 + i;
      } while (Now () < end);
      sink += x;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Hash (long end)
    {
      uint x = 17;
      do {
        for (int i = 0; i < 200000; i++)
          x = (x ^ (uint) i) * 16777619;
      } while (Now () < end);
      sink += x;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Divide (long end)
    {
      long x = long.MaxValue;
      do {
        for (int i = 1; i < 50000; i++)
          x = long.MaxValue - x / i;
      } while (Now () < end);
      sink += x;
    }

    static readonly string[] names = { "Multiply", "Hash", "Divide" };
    static readonly Action<long>[] works = { Multiply, Hash, Divide };
    static readonly long[] used = new long[works.Length];

    static void Work (int[] phases)
    {
      foreach (int phase in phases) {
        int work = phase % works.Length;
        long begin = Now ();
        works[work] (begin + phase / works.Length * 1000000L);
        Interlocked.Add (ref used[work], Now () - begin);
      }
    }

    static readonly object door = new object ();
    static readonly ManualResetEvent done = new ManualResetEvent (false);

    static void Wait (int how)
    {
      lock (names)
        Console.WriteLine ("idle\t0x{0:x}", pthread_self ().ToInt64 ());
      if (how == 0)
        while (!done.WaitOne (0))
          Thread.Sleep (50);
      else if (how == 1)
        lock (door) { }
      else
        done.WaitOne ();
    }

    static void Main (string[] args)
    {
      var random = new Random (int.Parse (args[0]));
      foreach (var work in works)
        work (0);
      if (args.Length > 1)
        signal (int.Parse (args[1]), Ignore);
      var waiting = new List<Thread> ();
      var working = new List<Thread> ();
      lock (door) {
        for (int i = random.Next (1, 8); i > 0; i--) {
          int how = random.Next (3);
          waiting.Add (new Thread (() => Wait (how)));
        }
        for (int i = random.Next (1, 5); i > 0; i--) {
          var phases = new int[random.Next (1, 6)];
          for (int j = 0; j < phases.Length; j++)
            phases[j] = random.Next (20, 300) * works.Length + random.Next (works.Length);
          working.Add (new Thread (() => Work (phases)));
        }
        waiting.ForEach (t => t.Start ());
        working.ForEach (t => t.Start ());
        working.ForEach (t => t.Join ());
      }
      done.Set ();
      waiting.ForEach (t => t.Join ());
      for (int i = 0; i < used.Length; i++)
        Console.WriteLine ("cpu\t{0}\t{1}", names[i], used[i]);
    }
  }
}
