// directory DIRECTORY OBJECTS: goes there after half of its objects.  Prints "objects:TYPE N".
using System;
using System.IO;

namespace Probe {
  class Leaf { public long Value; }

  static class Program {
    static object sink;

    static void Make (int objects)
    {
      for (int i = 0; i < objects; i++)
        sink = new Leaf { Value = i };
    }

    static void Main (string[] args)
    {
      int half = int.Parse (args[1]) / 2;
      Make (half);
      Directory.SetCurrentDirectory (args[0]);
      Make (half);
      Console.WriteLine ("objects:Probe.Leaf {0}", 2 * half);
    }
  }
}
