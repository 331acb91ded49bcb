// Calculates for so many rounds, in one method called by another, and counts its calls.
using System;

namespace Probe {
  static class Interpreted {
    static int calls;

    static uint Mix (uint x)
    {
      calls++;
      for (int i = 0; i < 100000; i++)
        x = x * 1664525 + 1013904223 ^ x >> 7;
      return x;
    }

    static void Main (string[] arguments)
    {
      uint x = 1;
      for (int i = int.Parse (arguments[0]); i > 0; i--)
        x = Mix (x);
      Console.WriteLine ("result: {0}", x);
      Console.WriteLine ("calls: {0}", calls);
    }
  }
}
