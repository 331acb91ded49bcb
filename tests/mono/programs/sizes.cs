// sizes [DOMAINS]: domains one after the other, unloaded again, each of which allocates objects of a
// class of its own, of another size than those of the one before.
// Prints "objects:TYPE N" and "bytes:TYPE N" for each of them.
using System;

namespace Probe {
  class Small { public long A; }                    // 16 + 8 bytes: 24
  class Large { public long A, B, C, D, E, F, G; }  // 16 + 56: 72

  static class Sizes {
    const int objects = 1000;
    static object sink;

    static void MakeSmall ()
    {
      for (int i = 0; i < objects; i++)
        sink = new Small { A = i };
    }

    static void MakeLarge ()
    {
      for (int i = 0; i < objects; i++)
        sink = new Large { A = i };
    }

    static int Main (string[] arguments)
    {
      int domains = arguments.Length > 0 ? int.Parse (arguments[0]) : 12;
      for (int i = 0; i < domains; i++) {
        AppDomain domain = AppDomain.CreateDomain ("domain " + i);
        domain.DoCallBack (i % 2 == 0 ? new CrossAppDomainDelegate (MakeSmall)
                                      : new CrossAppDomainDelegate (MakeLarge));
        AppDomain.Unload (domain);
      }
      long small = (domains + 1) / 2 * objects, large = domains / 2 * objects;
      Console.WriteLine ("objects:Probe.Small {0}\nbytes:Probe.Small {1}", small, 24 * small);
      Console.WriteLine ("objects:Probe.Large {0}\nbytes:Probe.Large {1}", large, 72 * large);
      return 0;
    }
  }
}
