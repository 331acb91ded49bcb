// native-leak load|balance|end [...]: has a native library allocate memory.
//
// Prints the bytes that are not freed below Image.Load.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Shop {
  static class Library {
    [DllImport ("leak")]
    public static extern IntPtr leak_load (IntPtr bytes, int count);

    [DllImport ("leak")]
    public static extern void leak_balance (IntPtr bytes, int count);

    [DllImport ("leak")]
    public static extern string leak_text (IntPtr bytes);

    [DllImport ("leak")]
    public static extern void leak_thread (IntPtr bytes, int count);

    [DllImport ("leak")]
    public static extern int leak_handler (IntPtr bytes, int count);

    [DllImport ("leak")]
    public static extern int leak_child (IntPtr bytes, int count, int runsProgram);

    [DllImport ("leak")]
    public static extern void leak_end (int kind);

    [DllImport ("libc")]
    static extern IntPtr dlopen (string name, int flags);

    [DllImport ("libc")]
    static extern IntPtr dlsym (IntPtr library, string name);

    [DllImport ("libc")]
    static extern int dlclose (IntPtr library);

    delegate void Balance (IntPtr bytes, int count);

    // Loads another library, calls it and unloads it, again and again.
    public static int Reload (string name, int count)
    {
      int calls = 0;
      for (int i = 0; i < count; i++) {
        IntPtr library = dlopen (name, 2);
        if (library == IntPtr.Zero)
          throw new Exception (name);
        Marshal.GetDelegateForFunctionPointer<Balance> (dlsym (library, "leak_balance")) ((IntPtr) 65536, 20);
        calls++;
        dlclose (library);
      }
      return calls;
    }
  }

  static class Image {
    [MethodImpl (MethodImplOptions.NoInlining)]
    public static long Load (int bytes, int count)
    {
      return (long) Library.leak_load ((IntPtr) bytes, count);
    }
  }

  static class Program {
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Draw (int bytes, int count)
    {
      Library.leak_balance ((IntPtr) bytes, count);
    }

    static int Main (string[] args)
    {
      long kept = 0;
      switch (args[0]) {
      case "load":
        for (int i = 0; i < int.Parse (args[1]); i++) {
          kept += Image.Load (1 << 16, 100);
          Draw (1 << 16, 100);
        }
        break;
      case "balance":
        int length = 0;
        for (int i = 0; i < 500; i++)
          length += Library.leak_text ((IntPtr) 100000).Length;
        Console.WriteLine ("texts {0}", length);
        Library.leak_thread ((IntPtr) (1 << 16), 2000);
        Console.WriteLine ("handled {0}", Library.leak_handler ((IntPtr) (1 << 18), 200));
        Console.WriteLine ("child {0}", Library.leak_child ((IntPtr) (1 << 20), 50, 0));
        Console.WriteLine ("exec {0}", Library.leak_child ((IntPtr) (1 << 20), 50, 1));
        Console.WriteLine ("reloads {0}", Library.Reload (args[1], 200));
        Draw (1 << 20, 100);
        break;
      default:
        Console.WriteLine ("ends");
        Library.leak_end (int.Parse (args[1]));
        return 3;
      }
      Console.WriteLine ("kept {0}", kept);
      return 0;
    }
  }
}
