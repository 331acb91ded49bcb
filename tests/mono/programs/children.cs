// children DEPTH WIDTH: allocates, starts itself WIDTH times by Process.Start, DEPTH deep.
// children fork: forks, and goes on in the child.
// Each process prints "PID objects:Probe.Work N".
using System;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Probe {
  class Work { public long Value; }

  static class Children {
    static Work last;
    static long made;

    [DllImport ("libc")] static extern int fork ();
    [DllImport ("libc")] static extern int getpid ();
    [DllImport ("libc")] static extern void _exit (int status);
    [DllImport ("libc")] static extern void exit (int status);
    [DllImport ("libc")] static extern int waitpid (int pid, out int status, int options);

    static void Allocate (int n)
    {
      for (int i = 0; i < n; i++, made++)
        last = new Work { Value = i };
    }

    static void Print ()
    {
      Console.WriteLine ("{0} objects:Probe.Work {1}", getpid (), made);
    }

    static int Start (string arguments)
    {
      var info = new ProcessStartInfo ("mono", Assembly.GetExecutingAssembly ().Location + " " + arguments) {
        UseShellExecute = false
      };
      using (var process = Process.Start (info)) {
        process.WaitForExit ();
        return process.ExitCode;
      }
    }

    // Without other threads, the child cannot collect: it makes little.
    static int Fork (int n, bool ends)
    {
      long before = made;
      int pid = fork ();
      if (pid == 0) {
        Allocate (n);
        made -= before;
        Print ();
        if (ends)
          exit (n % 100);
        _exit (n % 100);
      }
      int status;
      waitpid (pid, out status, 0);
      return status >> 8 == n % 100 ? 0 : 1;
    }

    static int Main (string[] args)
    {
      int failed = 0;
      Console.Out.Flush ();
      Allocate (1000);
      if (args[0] == "fork") {
        Print ();
        made = 0;
        failed += Fork (107, true) + Fork (209, false);
        Allocate (10);
      } else {
        int depth = int.Parse (args[0]), width = int.Parse (args[1]);
        for (int i = 0; i < width && depth > 0; i++) {
          Allocate (100 + depth);
          failed += Start (depth - 1 + " " + width);
        }
      }
      Print ();
      return failed;
    }
  }
}
