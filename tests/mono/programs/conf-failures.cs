// An image that is none, and a class whose base class is in an assembly that is not there: neither can be
// loaded.
// Prints "failures N".
using System;
using System.IO;
using System.Reflection;
using System.Reflection.Emit;

namespace Probe {
  static class Failures {
    static readonly string folder = Path.Combine (Path.GetTempPath (), "failures-" + Guid.NewGuid ());

    // NAME.dll has the class, which is compiled.
    static Type Save (string name, Type parent)
    {
      var assembly = AppDomain.CurrentDomain.DefineDynamicAssembly (
        new AssemblyName (name), AssemblyBuilderAccess.Save, folder);
      var type = assembly.DefineDynamicModule (name, name + ".dll")
        .DefineType (name + "Class", TypeAttributes.Public, parent).CreateType ();
      assembly.Save (name + ".dll");
      return type;
    }

    static int Main ()
    {
      int failures = 0;
      Directory.CreateDirectory (folder);
      try {
        Save ("Derived", Save ("Missing", typeof (object)));
        File.WriteAllText (Path.Combine (folder, "Missing.dll"), "This is not a library.");
        try {
          Assembly.LoadFile (Path.Combine (folder, "Missing.dll"));
        } catch (BadImageFormatException) {
          failures++;
        }
        try {
          Assembly.LoadFile (Path.Combine (folder, "Derived.dll")).GetTypes ();
        } catch (ReflectionTypeLoadException) {
          failures++;
        }
      } finally {
        Directory.Delete (folder, true);
      }
      Console.WriteLine ("failures {0}", failures);
      return failures == 2 ? 0 : 1;
    }
  }
}
