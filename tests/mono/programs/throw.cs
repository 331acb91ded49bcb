// Exceptions of several types, thrown by code and by the runtime, through every kind of clause.
// Prints "throws:TYPE N", and "clauses:KIND N" for the clauses of its own methods.  A rethrown
// exception is one more throw for the profiler.
using System;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  class Oops : Exception { public int Code; }
  class Other : Oops { }
  class Generic<T> : Exception { }

  public static class Throw {
    static long oops, other, generic, nulls, divisions, rethrown;
    static long catches, finallies, filters, filter_catches, faults, plain_finallies, nested_finallies;
    static int zero;
    static string nothing;

    [MethodImpl (MethodImplOptions.NoInlining)]
    public static void Raise (int kind)
    {
      switch (kind) {
      case 0: oops++; throw new Oops { Code = kind };
      case 1: other++; throw new Other { Code = kind };
      case 2: generic++; throw new Generic<int> ();
      case 3: nulls++; zero = nothing.Length; break;
      default: divisions++; zero = 1 / zero; break;
      }
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Catch (int kind)
    {
      try {
        Raise (kind);
      } catch (Exception) {
        catches++;
      }
    }

    // The finally clause runs because of the exception, two frames below the catch.
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Finally (int kind)
    {
      try {
        Raise (kind);
      } finally {
        finallies++;
      }
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void CatchFinally (int kind)
    {
      try {
        Finally (kind);
      } catch (Exception) {
        catches++;
      } finally {
        nested_finallies++;
      }
    }

    // No exception passes here.
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void PlainFinally ()
    {
      try {
        zero = 0;
      } finally {
        plain_finallies++;
      }
    }

    static bool Even (Oops e)
    {
      filters++;
      return e.Code % 2 == 0;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Filter (int kind)
    {
      try {
        Raise (kind);
      } catch (Oops e) when (Even (e)) {
        filter_catches++;
      } catch (Oops) {
        catches++;
      }
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Rethrow (int kind)
    {
      try {
        try {
          Raise (kind);
        } catch (Oops) {
          catches++;
          rethrown++;
          throw;
        }
      } catch (Oops) {
        catches++;
      }
    }

    public static void CountFault () { faults++; }

    // A method with a fault clause around Raise (0); C# has none, so it is made of instructions.
    static Action MakeFaulty ()
    {
      var assembly = AppDomain.CurrentDomain.DefineDynamicAssembly (
        new AssemblyName ("Faulty"), AssemblyBuilderAccess.Run);
      var type = assembly.DefineDynamicModule ("Faulty").DefineType ("Probe.Faulty", TypeAttributes.Public);
      var method = type.DefineMethod ("Run", MethodAttributes.Public | MethodAttributes.Static);
      var il = method.GetILGenerator ();
      il.BeginExceptionBlock ();
      il.Emit (OpCodes.Ldc_I4_0);
      il.Emit (OpCodes.Call, typeof (Throw).GetMethod ("Raise"));
      il.BeginFaultBlock ();
      il.Emit (OpCodes.Call, typeof (Throw).GetMethod ("CountFault"));
      il.EndExceptionBlock ();
      il.Emit (OpCodes.Ret);
      return (Action) Delegate.CreateDelegate (typeof (Action), type.CreateType ().GetMethod ("Run"));
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Fault (Action faulty)
    {
      try {
        faulty ();
      } catch (Oops) {
        catches++;
      }
    }

    static int Main ()
    {
      for (int i = 0; i < 50; i++)
        Catch (i % 5);
      for (int i = 0; i < 20; i++)
        CatchFinally (i % 5);
      for (int i = 0; i < 30; i++)
        PlainFinally ();
      for (int i = 0; i < 10; i++)
        Filter (i % 2);
      for (int i = 0; i < 4; i++)
        Rethrow (0);
      var faulty = MakeFaulty ();
      for (int i = 0; i < 3; i++)
        Fault (faulty);
      var worker = new Thread (() => {
        for (int i = 0; i < 15; i++)
          Catch (i % 5);
      });
      worker.Start ();
      worker.Join ();
      Console.WriteLine ("throws:Probe.Oops {0}", oops + rethrown);
      Console.WriteLine ("throws:Probe.Other {0}", other);
      Console.WriteLine ("throws:Probe.Generic<System.Int32> {0}", generic);
      Console.WriteLine ("throws:System.NullReferenceException {0}", nulls);
      Console.WriteLine ("throws:System.DivideByZeroException {0}", divisions);
      Console.WriteLine ("clauses:catch {0}", catches + filter_catches);
      Console.WriteLine ("clauses:filter {0}", filters);
      Console.WriteLine ("clauses:fault {0}", faults);
      Console.WriteLine ("clauses:finally {0}", finallies + plain_finallies + nested_finallies);
      return 0;
    }
  }
}
