// Faults that a report finds: exceptions that steer the program, a lock that all wait for, one type that is
// allocated all the time, and collections.  Without a fault it runs as long and does nothing of it.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text;
using System.Threading;

namespace Probe {
  class Gate { }

  static class Findings {
    static byte[] last;

    static int Parse (int i)
    {
      try {
        throw new FormatException ();
      } catch (FormatException) {
        return i;
      }
    }

    static void Throw ()
    {
      for (int i = 0; i < 2000; i++)
        Parse (i);
    }

    // Each thread waits until the other lets go of the lock: for 20 ms, but at the end.
    static void Contend ()
    {
      var gate = new Gate ();
      var threads = new Thread[2];
      for (int t = 0; t < threads.Length; t++)
        (threads[t] = new Thread (() => {
          for (int i = 0; i < 15; i++) {
            lock (gate)
              Thread.Sleep (20);
            Thread.Sleep (1);
          }
        })).Start ();
      foreach (var thread in threads)
        thread.Join ();
    }

    static void Allocate ()
    {
      for (int i = 0; i < 200000; i++)
        last = new byte[1000];
    }

    // Collections until they are most of the time.
    static void Collect ()
    {
      var live = new object[200000];
      for (int i = 0; i < live.Length; i++)
        live[i] = new int[4];
      var clock = Stopwatch.StartNew ();
      while (clock.ElapsedMilliseconds < 600)
        GC.Collect ();
      GC.KeepAlive (live);
    }

    // Eight major collections, 1 MB more at each.
    static void Grow ()
    {
      var all = new List<byte[]> ();
      for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 1000; k++)
          all.Add (new byte[1000]);
        GC.Collect ();
      }
      GC.KeepAlive (all);
    }

    // Until the process has used a second of processor time.
    static bool HasTime ()
    {
      return Process.GetCurrentProcess ().TotalProcessorTime.TotalMilliseconds < 1000;
    }

    // The same of a class of its own, in a static field.
    class Session {
      public readonly byte[] Buffer = new byte[1000];
    }

    static readonly List<Session> sessions = new List<Session> ();

    static void Keep ()
    {
      for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 1000; k++)
          sessions.Add (new Session ());
        GC.Collect ();
      }
    }

    // The time is in what Normalize calls of the libraries, for a lambda.
    static string Normalize (string name)
    {
      return new string (name.Normalize (NormalizationForm.FormD).Where (c => c != ' ').ToArray ()).ToLowerInvariant ();
    }

    static void Search ()
    {
      var names = Enumerable.Range (0, 100).Select (i => "Prodúct " + i + new string ('é', 100)).ToList ();
      while (HasTime ())
        names.Count (name => Normalize (name) == "none");
    }

    // Strings that grow by a character.
    static void Append ()
    {
      while (HasTime ()) {
        string line = "";
        for (int i = 0; i < 2000; i++)
          line += 'x';
      }
    }

    static int Main (string[] arguments)
    {
      switch (arguments[0]) {
      case "throw": Throw (); break;
      case "contend": Contend (); break;
      case "allocate": Allocate (); break;
      case "collect": Collect (); break;
      case "grow": Grow (); break;
      case "keep": Keep (); break;
      case "search": Search (); break;
      case "append": Append (); break;
      case "sleep": Thread.Sleep (2100); break;
      default: Thread.Sleep (200); break;
      }
      Console.WriteLine ("done 1");
      return 0;
    }
  }
}
