// Works in a second domain, which it unloads, and in a dynamic method.
using System;
using System.Reflection.Emit;

public class Elsewhere : MarshalByRefObject
{
  static double sink;

  public double WorkInDomain ()
  {
    double x = 1;
    for (int i = 0; i < 300000000; i++)
      x = x * 1.0000001 + i;
    return x;
  }

  // Multiplies as often as its argument states.
  static Func<int, double> MakeDynamic ()
  {
    var method = new DynamicMethod ("WorkInDynamic", typeof (double), new Type[] { typeof (int) });
    var code = method.GetILGenerator ();
    var top = code.DefineLabel ();
    code.DeclareLocal (typeof (double));
    code.Emit (OpCodes.Ldc_R8, 1.0);
    code.Emit (OpCodes.Stloc_0);
    code.MarkLabel (top);
    code.Emit (OpCodes.Ldloc_0);
    code.Emit (OpCodes.Ldc_R8, 1.0000001);
    code.Emit (OpCodes.Mul);
    code.Emit (OpCodes.Stloc_0);
    code.Emit (OpCodes.Ldarg_0);
    code.Emit (OpCodes.Ldc_I4_1);
    code.Emit (OpCodes.Sub);
    code.Emit (OpCodes.Starg_S, (byte) 0);
    code.Emit (OpCodes.Ldarg_0);
    code.Emit (OpCodes.Brtrue, top);
    code.Emit (OpCodes.Ldloc_0);
    code.Emit (OpCodes.Ret);
    return (Func<int, double>) method.CreateDelegate (typeof (Func<int, double>));
  }

  static void Main ()
  {
    var domain = AppDomain.CreateDomain ("second");
    var elsewhere = (Elsewhere) domain.CreateInstanceAndUnwrap (typeof (Elsewhere).Assembly.FullName, "Elsewhere");
    sink += elsewhere.WorkInDomain ();
    AppDomain.Unload (domain);
    sink += MakeDynamic () (300000000);
    GC.Collect ();
  }
}
