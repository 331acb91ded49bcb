/* Sleeps for the given ms, and does nothing else: states when, by a clock of its own. */
using System;
using System.Diagnostics;
using System.Threading;

class Quiet
{
  static void Main (string[] args)
  {
    Console.WriteLine ("up");
    var clock = Stopwatch.StartNew ();
    Thread.Sleep (int.Parse (args[0]));
    Console.WriteLine ("slept_ns {0}", clock.ElapsedTicks * (1000000000 / Stopwatch.Frequency));
  }
}
