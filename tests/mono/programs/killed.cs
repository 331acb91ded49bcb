// Counts its objects in a file that outlives it, a 64-bit number each: what is there was allocated.
using System;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using System.Threading;

namespace Killed
{
  class First { long a; }
  class Second { long a, b; }
  class Third { long a, b, c; }

  static class Program
  {
    static MemoryMappedViewAccessor counts;
    static object kept;

    static void Busy (int thread, Func<object> make, int pause)
    {
      for (long n = 1; ; n++) {
        kept = make ();
        counts.Write (thread * 8, n);
        if (pause != 0)
          Thread.Sleep (pause);
      }
    }

    [DllImport ("libc")] static extern void _exit (int status);
    [DllImport ("libc")] static extern void abort ();

    static void Count (long objects)
    {
      for (long n = 1; n <= objects; n++) {
        kept = new First ();
        counts.Write (0, n);
      }
    }

    static void Start (int thread, Func<object> make, int pause)
    {
      new Thread (() => Busy (thread, make, pause)) { IsBackground = true }.Start ();
    }

    static void Main (string[] args)
    {
      counts = MemoryMappedFile.CreateFromFile (args[0], FileMode.Open).CreateViewAccessor ();
      switch (args[1]) {
      case "idle":
        Count (10);
        break;
      case "failfast":
        Count (1000);
        Environment.FailFast ("enough");
        break;
      case "_exit":
        Count (1000);
        _exit (5);
        break;
      case "abort":
        Count (1000);
        abort ();
        break;
      default:
        int pause = args[1] == "slow" ? 1 : 0;
        Start (0, () => new First (), pause);
        Start (1, () => new Second (), pause);
        Start (2, () => new Third (), pause);
        break;
      }
      Thread.Sleep (-1);
    }
  }
}
