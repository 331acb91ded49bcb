// spans: eight threads with spans, and spans that cross the thread pool, which the program counts itself.
//
//   spans.exe [ROUNDS]        prints "key value" lines: of each name the spans, and the objects allocated in them
//   spans.exe cost PAIRS      prints the ns of a Begin and an End
//   spans.exe endless FILE    writes the number of spans that ended into FILE until it is killed
//   spans.exe fast SPANS      begins and ends so many, and prints their number in a second
using System;
using System.Diagnostics;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Threading;
using Proflog;

namespace Probe {
  class Inside { public long a; }
  class Within { public long a, b; }
  class Across { public long a, b, c; }
  class Outside { public long a, b, c, d; }
  class Failure : Exception { }

  static class Spans {
    const int Threads = 8;
    static int rounds = 200;
    static object[] kept = new object[Threads];

    static void Throw ()
    {
      try {
        throw new Failure ();
      } catch (Failure) {
      }
    }

    // Thread T: a request with a query in it, each round; objects of another class between them.
    static void Work (object argument)
    {
      int thread = (int) argument;
      for (int i = 0; i < rounds; i++) {
        ulong id = (ulong) (thread * rounds + i + 1);
        for (int n = 0; n < 5; n++)
          kept[thread] = new Outside ();
        Span.Begin ("request", id);
        for (int n = 0; n < 3 + thread; n++)
          kept[thread] = new Inside ();
        Span.Begin ("query", id);
        for (int n = 0; n < 7; n++)
          kept[thread] = new Within ();
        Span.End (id);
        kept[thread] = new Inside ();
        if (i % 10 == 0)
          Throw ();
        if (i % 20 == 0)
          Thread.Sleep (1);
        Span.End (id);
      }
    }

    // Begins here, goes on on a thread of the pool, and ends on another one.
    static void Cross ()
    {
      for (int i = 0; i < rounds; i++) {
        ulong id = (ulong) (1000000 + i);
        var done = new ManualResetEvent (false);
        Span.Begin ("crossing", id);
        for (int n = 0; n < 2; n++)
          kept[0] = new Across ();
        Span.Leave (id);
        kept[0] = new Outside ();
        ThreadPool.QueueUserWorkItem (delegate {
          Span.Enter (id);
          for (int n = 0; n < 4; n++)
            kept[1] = new Across ();
          Span.Leave (id);
          kept[1] = new Outside ();
          ThreadPool.QueueUserWorkItem (delegate {
            Span.Enter (id);
            kept[2] = new Across ();
            Span.End (id);
            done.Set ();
          });
        });
        done.WaitOne ();
      }
    }

    static void Cost (int pairs)
    {
      var name = new SpanName ("cost");
      for (int round = 0; round < 3; round++) {
        var watch = Stopwatch.StartNew ();
        for (int i = 0; i < pairs; i++) {
          Span.Begin ("cost", (ulong) i);
          Span.End ((ulong) i);
        }
        double by_text = watch.Elapsed.TotalMilliseconds * 1e6 / pairs;
        watch.Restart ();
        for (int i = 0; i < pairs; i++) {
          Span.Begin (name, (ulong) i);
          Span.End ((ulong) i);
        }
        Console.WriteLine ("text {0:F1} number {1:F1}", by_text, watch.Elapsed.TotalMilliseconds * 1e6 / pairs);
      }
    }

    static void Fast (int spans)
    {
      var name = new SpanName ("fast");
      var watch = Stopwatch.StartNew ();
      for (int i = 0; i < spans; i++) {
        Span.Begin (name, (ulong) i);
        Span.End ((ulong) i);
      }
      Console.WriteLine ("rate {0:F0}", spans / watch.Elapsed.TotalSeconds);
    }

    static void Endless (string file)
    {
      using (var map = MemoryMappedFile.CreateFromFile (file, FileMode.Create, null, 8))
      using (var view = map.CreateViewAccessor ())
        for (ulong i = 1;; i++) {
          Span.Begin ("endless", i);
          Span.End (i);
          view.Write (0, i);
          if (i % 1000 == 0)
            Thread.Sleep (1);
        }
    }

    static void Main (string[] arguments)
    {
      if (arguments.Length == 2 && arguments[0] == "cost") {
        Cost (int.Parse (arguments[1]));
        return;
      }
      if (arguments.Length == 2 && arguments[0] == "fast") {
        Fast (int.Parse (arguments[1]));
        return;
      }
      if (arguments.Length == 2 && arguments[0] == "endless")
        Endless (arguments[1]);
      if (arguments.Length == 1)
        rounds = int.Parse (arguments[0]);
      var threads = new Thread[Threads];
      // All of them look for the module at once.
      for (int i = 0; i < Threads; i++) {
        threads[i] = new Thread (Work) { Name = "worker" + i };
        threads[i].Start (i);
      }
      foreach (var thread in threads)
        thread.Join ();
      Cross ();
      int workers = Threads * rounds;
      int inside = 0;
      for (int i = 0; i < Threads; i++)
        inside += (3 + i + 1) * rounds;
      int thrown = Threads * ((rounds + 9) / 10);
      Console.WriteLine ("spans:request " + workers);
      Console.WriteLine ("spans:query " + workers);
      Console.WriteLine ("spans:crossing " + rounds);
      Console.WriteLine ("inside:request " + inside);
      Console.WriteLine ("inside:query " + 7 * workers);
      Console.WriteLine ("inside:crossing " + 7 * rounds);
      Console.WriteLine ("thrown:request " + thrown);
      Console.WriteLine ("outside " + (5 * workers + 2 * rounds));
    }
  }
}
