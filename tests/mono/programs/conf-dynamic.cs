// Code that is made while the program runs, generic code, very long texts and names.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace Probe {
  class Pair<A, B> { public A First; public B Second; }

  static class Dynamic {
    [MethodImpl (MethodImplOptions.NoInlining)]
    static Pair<A, B> Make<A, B> (A a, B b) { return new Pair<A, B> { First = a, Second = b }; }

    static int Main ()
    {
      int sum = 0;
      for (int i = 0; i < 10; i++) {
        var method = new DynamicMethod ("dynamic" + i, typeof (int), new[] { typeof (int) });
        var il = method.GetILGenerator ();
        il.Emit (OpCodes.Ldarg_0);
        il.Emit (OpCodes.Ldc_I4, i);
        il.Emit (OpCodes.Add);
        il.Emit (OpCodes.Ret);
        var add = (Func<int, int>) method.CreateDelegate (typeof (Func<int, int>));
        sum += add (i);
      }

      var assembly = AppDomain.CurrentDomain.DefineDynamicAssembly (new AssemblyName ("Made"), AssemblyBuilderAccess.RunAndCollect);
      string long_name = "Long" + new string ('x', 5000);
      var type = assembly.DefineDynamicModule ("Made").DefineType ("Made." + long_name, TypeAttributes.Public);
      type.DefineDefaultConstructor (MethodAttributes.Public);
      sum += Activator.CreateInstance (type.CreateType ()).GetHashCode () != 0 ? 1 : 0;

      sum += Make (1, "one").First + Make ("two", 2).Second;
      sum += Make (Make (1.5, 'c'), new Dictionary<string, List<Pair<int, long>>> ()).Second.Count;
      sum += new[] { 3, 1, 2 }.OrderBy (x => -x).Select (x => new { x, y = x * x }).Sum (p => p.y);
      Expression<Func<int, int>> square = x => x * x;
      sum += square.Compile () (5);

      string text = new string ('a', 1 << 20);
      for (int i = 0; i < 3; i++)
        text = text.Substring (1) + "ü€𝄞";
      var numbers = new long[200000];
      var grid = new int[100, 100, 3];
      return sum + text.Length + numbers.Length + grid.Length > 0 ? 0 : 1;
    }
  }
}
