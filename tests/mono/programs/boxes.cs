/* Makes small objects, and calls small methods, for the given ms of processor time, so that a recording of all of
 * them costs most of the time; states how much it used. */
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

class Boxes
{
  static readonly object[] ring = new object[64];

  [MethodImpl (MethodImplOptions.NoInlining)]
  static int Box (int n)
  {
    for (int i = 0; i < n; i++)
      ring[i & 63] = i;
    return (int) ring[0];
  }

  static void Main (string[] args)
  {
    var end = TimeSpan.FromMilliseconds (int.Parse (args[0]));
    var self = Process.GetCurrentProcess ();
    int sum = 0;
    do {
      for (int i = 0; i < 100; i++)
        sum += Box (100);
      self.Refresh ();
    } while (self.TotalProcessorTime < end);
    Console.WriteLine ("used_ms {0}", (long) self.TotalProcessorTime.TotalMilliseconds);
  }
}
