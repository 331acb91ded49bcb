// storm [THREADS]: threads that are short, allocate and throw, while others collect, and children are
// started.  Prints sums that do not depend on the order.
using System;
using System.Diagnostics;
using System.Threading;

namespace Probe {
  class Squall : Exception {
    public readonly int Value;
    public Squall (int value) { Value = value; }
  }

  static class Storm {
    const int AtOnce = 20;
    static long sum, thrown;

    static int Deep (int n, int value)
    {
      if (n == 0)
        throw new Squall (value);
      return Deep (n - 1, value) + 1;
    }

    static void Work (int number)
    {
      var parts = new string[50];
      for (int i = 0; i < parts.Length; i++)
        parts[i] = (number * i).ToString ();
      Interlocked.Add (ref sum, string.Concat (parts).Length);
      try {
        Deep (number % 60, number);
      } catch (Squall e) {
        Interlocked.Add (ref thrown, e.Value);
      }
    }

    static int Child ()
    {
      var start = new ProcessStartInfo ("/bin/sh", "-c \"exit 7\"") { UseShellExecute = false };
      using (var child = Process.Start (start)) {
        child.WaitForExit ();
        return child.ExitCode;
      }
    }

    static int Main (string[] args)
    {
      int count = args.Length > 0 ? int.Parse (args[0]) : 1000, statuses = 0;
      var running = new Thread[AtOnce];
      for (int started = 0; started < count; started++) {
        int slot = started % AtOnce, number = started;
        if (running[slot] != null)
          running[slot].Join ();
        running[slot] = new Thread (() => Work (number));
        running[slot].Start ();
        if (started % 50 == 0)
          GC.Collect (started % 100 == 0 ? 2 : 0);
        if (started % 200 == 0)
          statuses += Child ();
      }
      foreach (var thread in running)
        if (thread != null)
          thread.Join ();
      Console.WriteLine ("{0} {1} {2}", sum, thrown, statuses);
      return 3;
    }
  }
}
