// The smallest program: what a start costs, and what runs when nothing happens.
using System;

namespace Probe {
  static class Hello {
    static int Main ()
    {
      Console.WriteLine ("hello");
      return 0;
    }
  }
}
