// conf-counters [MS]: changes what the runtime counts while the counters are read each second, its own
// performance counters too.
using System;
using System.Diagnostics;
using System.Threading;

namespace Probe {
  static class Counters {
    static object sink;

    static int Main (string[] args)
    {
      int ms = args.Length > 0 ? int.Parse (args[0]) : 2500;
      PerformanceCounter counter = null;
      try {
        if (!PerformanceCounterCategory.Exists ("Probe"))
          PerformanceCounterCategory.Create ("Probe", "of a test", PerformanceCounterCategoryType.SingleInstance,
                                             new CounterCreationDataCollection {
                                               new CounterCreationData ("Rounds", "of a loop", PerformanceCounterType.NumberOfItems64),
                                             });
        counter = new PerformanceCounter ("Probe", "Rounds", false);
      } catch (Exception e) {
        Console.WriteLine ("no performance counter: {0}", e.GetType ());
      }
      var clock = Stopwatch.StartNew ();
      while (clock.ElapsedMilliseconds < ms) {
        for (int i = 0; i < 1000; i++)
          sink = new byte[i];
        if (counter != null)
          counter.Increment ();
        ThreadPool.QueueUserWorkItem (delegate { sink = new object (); });
        Thread.Sleep (20);
      }
      return 0;
    }
  }
}
