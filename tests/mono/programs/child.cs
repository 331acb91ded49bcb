// Starts other programs, and allocates before, between and after.
using System;
using System.Diagnostics;

namespace Probe {
  class Work { public long Value; }

  static class Child {
    static Work last;
    static long made;

    static void Allocate (int n)
    {
      for (int i = 0; i < n; i++, made++)
        last = new Work { Value = i };
    }

    static int Main ()
    {
      int started = 0;
      Allocate (1000);
      for (int i = 0; i < 5; i++) {
        var info = new ProcessStartInfo ("/bin/echo", "child " + i) {
          UseShellExecute = false, RedirectStandardOutput = true,
        };
        using (var process = Process.Start (info)) {
          if (process.StandardOutput.ReadToEnd () != "child " + i + "\n")
            return 1;
          process.WaitForExit ();
          started += process.ExitCode == 0 ? 1 : 0;
        }
        Allocate (100);
      }
      Console.WriteLine ("children {0}", started);
      Console.WriteLine ("objects:Probe.Work {0}", made);
      return 0;
    }
  }
}
