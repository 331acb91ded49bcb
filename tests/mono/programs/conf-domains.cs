// conf-domains [N [images]]: application domains that are made, run in and unloaded, two of them there at a
// time, and remoting contexts in each.  Prints "objects:Probe.Node N": of all domains together, each of
// which has classes of its own.  With "images" each loads an image of its own, too, which is unloaded with
// it.
//
// It runs itself in each domain, with the arguments "work" or "images" and how many objects to make.
using System;
using System.IO;
using System.Reflection;
using System.Runtime.Remoting.Contexts;
using System.Threading;

namespace Probe {
  class Node { public object Next; }

  // Lives in a context of its own.
  [Synchronization]
  class Bound : ContextBoundObject {
    public int Add (int a, int b) { return a + b; }
  }

  static class Domains {
    static int Work (int n)
    {
      object last = null;
      for (int i = 0; i < n; i++)
        last = new Node { Next = last };
      n = new Bound ().Add (n, 1);
      var thread = new Thread (() => last = new Node ()) { Name = AppDomain.CurrentDomain.FriendlyName };
      thread.Start ();
      thread.Join ();
      try {
        throw new InvalidOperationException ();
      } catch (InvalidOperationException) {
        return n;
      }
    }

    static int Main (string[] args)
    {
      string location = typeof (Domains).Assembly.Location;
      if (!AppDomain.CurrentDomain.IsDefaultAppDomain ()) {
        if (args[0] == "images")
          Assembly.Load (File.ReadAllBytes (location)).GetTypes ();
        return Work (int.Parse (args[1]));
      }
      int n = args.Length > 0 ? int.Parse (args[0]) : 3, nodes = 0;
      string how = args.Length > 1 ? args[1] : "work";
      AppDomain before = null;
      for (int i = 0; i < n; i++) {
        var domain = AppDomain.CreateDomain ("domain " + i);
        nodes += domain.ExecuteAssembly (location, new[] { how, (100 + i).ToString () });
        if (before != null)
          AppDomain.Unload (before);
        before = domain;
      }
      nodes += Work (50);
      // The last one is there until the end.
      Console.WriteLine ("objects:Probe.Node {0}", nodes);
      return 0;
    }
  }
}
