// inside EXPECTED: speaks to the module that records it, in phases; prints what was answered and what it
// did.  EXPECTED is recorded, v1 (marks are refused), unread (nobody reads the log) or absent (all calls do
// nothing).
using System;
using System.Threading;
using Proflog;

namespace Probe {
  class Before { long a; }
  class Between { long a, b; }
  class After { long a, b, c; }
  class Held { long a; }

  static class Inside {
    static object last;
    static object[] held;
    static int failures;

    static void Make (int n, Func<object> make)
    {
      for (int i = 0; i < n; i++)
        last = make ();
    }

    static void Check (string what, bool answer, bool expected)
    {
      if (answer == expected)
        return;
      string reply;
      Log.Control ("status", out reply);
      Console.Error.WriteLine ("{0} answered {1}; {2}", what, answer, reply);
      failures++;
    }

    // Nobody who reads the log is waited for.
    static int Unread ()
    {
      string reply;
      Check ("Flush", Log.Control ("flush", out reply), false);
      if (!reply.Contains (" for 200 ms")) {
        Console.Error.WriteLine ("Flush: {0}", reply);
        failures++;
      }
      Check ("Stop", Log.Control ("stop", out reply), true);
      if (!reply.Contains ("recording: no") || !reply.Contains ("not written: ")) {
        Console.Error.WriteLine ("Stop: {0}", reply);
        failures++;
      }
      Check ("Start", Log.Start (), true);
      Check ("HeapShot", Log.HeapShot (), false);
      return failures;
    }

    static int Main (string[] args)
    {
      if (args[0] == "unread")
        return Unread ();
      bool recorded = args[0] != "absent", marks = args[0] == "recorded";
      Check ("IsWritten", Log.IsWritten, recorded);
      Check ("Mark", Log.Mark ("begin"), marks);
      Make (1000, () => new Before ());
      Check ("Stop", Log.Stop (), recorded);
      Check ("Mark", Log.Mark ("nobody listens"), false);
      Make (2000, () => new Between ());
      Check ("Start", Log.Start (), recorded);
      Make (3000, () => new After ());
      held = new object[500];
      for (int i = 0; i < held.Length; i++)
        held[i] = new Held ();
      Check ("HeapShot", Log.HeapShot (), recorded);
      held = null;
      last = null;
      Check ("HeapShot", Log.HeapShot (), recorded);
      Check ("Mark", Log.Mark ("a name with blanks, \u00fc and \"quotes\""), marks);
      Check ("Mark", Log.Mark (""), false);
      Check ("Mark", Log.Mark ("two\nlines"), false);
      Check ("Mark", Log.Mark (new string ('x', 5000)), false);
      var threads = new Thread[4];
      for (int t = 0; t < threads.Length; t++) {
        threads[t] = new Thread (() => {
          for (int i = 0; i < 25; i++)
            Check ("Mark", Log.Mark ("turn"), marks);
        });
        threads[t].Start ();
      }
      foreach (var thread in threads)
        thread.Join ();
      Check ("Flush", Log.Flush (), recorded);
      string reply;
      Check ("nosuch", Log.Control ("nosuch", out reply), false);
      if (recorded != reply.StartsWith ("error usage\nthere is no 'nosuch'"))
        failures++;
      if (!recorded && reply != "")
        failures++;
      foreach (var nothing in new[] { null, "", " " }) {
        Check ("nothing", Log.Control (nothing, out reply), false);
        if (recorded != reply.StartsWith ("error usage\nthe request has no words"))
          failures++;
      }
      Console.WriteLine ("objects:Probe.Before 1000");
      Console.WriteLine ("objects:Probe.Between {0}", recorded ? 0 : 2000);
      Console.WriteLine ("objects:Probe.After 3000");
      return failures;
    }
  }
}
