// Faults that a report finds: exceptions that steer the program, a lock that all wait for, one type that is
// allocated all the time, collections, leaks, slow code.  Without a fault it runs as long and does nothing of it.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

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
        Thread.Sleep (40);
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
        Thread.Sleep (40);
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

    // The same of an async method: it is resumed on threads of the pool.
    static async Task<int> Price (List<string> names)
    {
      int found = 0;
      while (HasTime ()) {
        await Task.Yield ();
        found += names.Count (name => Normalize (name) == "none");
      }
      return found;
    }

    static void Await ()
    {
      var names = Enumerable.Range (0, 100).Select (i => "Prodúct " + i + new string ('é', 100)).ToList ();
      Price (names).Wait ();
    }

    // Timers that nobody stops hold what they call.
    class Poller {
      readonly byte[] buffer = new byte[1000];

      public void OnTime (object state)
      {
        buffer[0]++;
      }
    }

    static void Poll ()
    {
      for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 500; k++)
          new Timer (new Poller ().OnTime, null, 3600000, 3600000);
        GC.Collect ();
        Thread.Sleep (250);
      }
    }

    // A cache that forgets nothing, over two seconds.
    class Receipt {
      public readonly byte[] Lines = new byte[1000];
    }

    static readonly Dictionary<int, Receipt> receipts = new Dictionary<int, Receipt> ();

    static void Cache ()
    {
      for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 500; k++)
          receipts.Add (500 * i + k, new Receipt ());
        GC.Collect ();
        Thread.Sleep (250);
      }
    }

    // Boxes and strings that are dropped at once.
    static void Format ()
    {
      long length = 0;
      while (HasTime ())
        for (int i = 0; i < 1000; i++)
          length += string.Format ("{0} of {1}: {2}", i, length, i * 0.5).Length;
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
      case "await": Await (); break;
      case "poll": Poll (); break;
      case "cache": Cache (); break;
      case "format": Format (); break;
      case "sleep": Thread.Sleep (2100); break;
      default: Thread.Sleep (200); break;
      }
      Console.WriteLine ("done 1");
      return 0;
    }
  }
}
