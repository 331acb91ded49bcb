// ends return|exit|exit-thread|exit-finalizer|unhandled|kill: allocates, then ends in the given way.
using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  class Last { public long Value; }
  class Fatal : Exception { }

  class Exiting {
    ~Exiting () { Environment.Exit (9); }
  }

  static class Ends {
    static Last last;

    [DllImport ("libc")] static extern int getpid ();
    [DllImport ("libc")] static extern int kill (int pid, int signal);

    static void LeaveExiting () { new Exiting (); }

    static int Main (string[] args)
    {
      for (int i = 0; i < 1234; i++)
        last = new Last { Value = i };
      Console.WriteLine ("objects:Probe.Last 1234");
      Console.Out.Flush ();
      switch (args[0]) {
      case "exit":
        Environment.Exit (7);
        break;
      case "exit-thread":
        new Thread (() => Environment.Exit (8)).Start ();
        Thread.Sleep (Timeout.Infinite);
        break;
      case "exit-finalizer":
        LeaveExiting ();
        for (int i = 0; i < 1000; i++) {
          GC.Collect ();
          Thread.Sleep (10);
        }
        break;
      case "unhandled":
        throw new Fatal ();
      case "kill":
        // Ends by the signal whose number the second argument is.
        kill (getpid (), int.Parse (args[1]));
        Thread.Sleep (Timeout.Infinite);
        break;
      }
      return 5;
    }
  }
}
