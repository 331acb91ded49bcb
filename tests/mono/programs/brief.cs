// brief: threads that live for some ms, in turn.  Prints their processor time by their own clock.
using System;
using System.Runtime.InteropServices;
using System.Threading;

class Brief
{
  struct Timespec {
    public long Seconds, Nanoseconds;
  }

  [DllImport ("libc")]
  static extern int clock_gettime (int clock, out Timespec time);

  static long Now ()
  {
    Timespec time;
    clock_gettime (3, out time);
    return time.Seconds * 1000000000 + time.Nanoseconds;
  }

  static long total;
  static double sink;

  static void Work (long ns)
  {
    long until = Now () + ns;
    while (Now () < until)
      for (int i = 0; i < 1000; i++)
        sink += Math.Sqrt (i);
    total += Now ();
  }

  static void Main (string[] args)
  {
    long ns = long.Parse (args[1]);
    for (int i = 0; i < int.Parse (args[0]); i++) {
      var thread = new Thread (() => Work (ns));
      thread.Start ();
      thread.Join ();
    }
    Console.WriteLine ("used_ns {0}", total);
  }
}
