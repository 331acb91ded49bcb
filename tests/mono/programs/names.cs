// Objects of types whose names are hard: nested, generic, arrays, boxed, made by the compiler.
// The names that it prints are made from reflection in the way the runtime writes them.
using System;
using System.Collections.Generic;
using System.Linq;

namespace Probe {
  class Plain { }
  class Outer { public class Inner { public class Deep { } } }
  class Box<T> { public T Value; public class Nested { } public class Both<U> { } }
  struct Point { public int X, Y; }
  enum Colour { Red, Green }
  delegate int Sum (int a, int b);
  class Adder { public int Add (int a, int b) { return a + b; } }

  static class Names {
    static readonly List<string> order = new List<string> ();
    static readonly Dictionary<string, int> counts = new Dictionary<string, int> ();
    static object sink;
    static readonly Adder adder = new Adder ();

    static string Name (Type type)
    {
      if (type.IsArray)
        return Name (type.GetElementType ()) + "[" + new string (',', type.GetArrayRank () - 1) + "]";
      string name = type.Name;
      int tick = name.IndexOf ('`');
      if (tick >= 0)
        name = name.Substring (0, tick);
      if (type.IsNested)
        name = Name (type.DeclaringType, false) + "." + name;
      else if (!String.IsNullOrEmpty (type.Namespace))
        name = type.Namespace + "." + name;
      return name;
    }

    static string Name (Type type, bool arguments)
    {
      string name = Name (type);
      if (arguments && type.IsGenericType)
        name += "<" + String.Join (",", type.GetGenericArguments ().Select (a => Full (a))) + ">";
      return name;
    }

    static string Full (Type type)
    {
      if (type.IsArray)
        return Full (type.GetElementType ()) + "[" + new string (',', type.GetArrayRank () - 1) + "]";
      return Name (type, true);
    }

    // Makes `n` objects with `make` and counts them.
    static void Make (int n, Func<object> make)
    {
      for (int i = 0; i < n; i++)
        sink = make ();
      string name = Full (sink.GetType ());
      if (!counts.ContainsKey (name)) {
        order.Add (name);
        counts[name] = 0;
      }
      counts[name] += n;
    }

    static int Main ()
    {
      Make (10, () => new Plain ());
      Make (11, () => new Outer.Inner ());
      Make (12, () => new Outer.Inner.Deep ());
      Make (13, () => new Box<int> ());
      Make (14, () => new Box<string> ());
      Make (15, () => new Box<Outer.Inner> ());
      Make (16, () => new Box<Box<Plain>> ());
      Make (17, () => new Box<int>.Nested ());
      Make (18, () => new Box<int>.Both<Plain> ());
      Make (19, () => new Plain[3]);
      Make (20, () => new Plain[2, 2]);
      Make (21, () => new Plain[2][]);
      Make (22, () => new Box<Plain[]>[1]);
      Make (23, () => (object) new Point ());
      Make (24, () => (object) Colour.Green);
      Make (25, () => new Point[4]);
      Make (26, () => new Sum (adder.Add));
      Make (27, () => new Dictionary<Plain, Box<long>> ());
      Make (28, () => new Tuple<Plain, Point> (null, new Point ()));
      Make (29, () => (object) new KeyValuePair<Colour, Plain> ());
      foreach (string name in order)
        Console.WriteLine ("objects:{0} {1}", name, counts[name]);
      return 0;
    }
  }
}
