// Collects at once, for a while.
using System;

static class Collect
{
  static void Main ()
  {
    for (int i = 0; i < 300; i++)
      GC.Collect ();
    Console.WriteLine ("collect");
  }
}
