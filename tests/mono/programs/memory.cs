// memory NATIVE MANAGED THREADS: has so many MB of native memory, so many of large objects, all of them used, and
// threads whose stacks have a MB each; then waits until the module has read the parts of the memory.
//
// Prints the resident bytes that the kernel states, in the end.
using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

static class MemoryProgram {
  const int MB = 1 << 20;
  static byte[][] arrays;
  static IntPtr native;

  [MethodImpl (MethodImplOptions.NoInlining)]
  static unsafe void UseStack (CountdownEvent used, ManualResetEvent end)
  {
    byte* bytes = stackalloc byte[MB];
    for (int i = 0; i < MB; i += 1024)
      bytes[i] = 1;
    used.Signal ();
    end.WaitOne ();
    if (bytes[1024] != 1)
      throw new Exception ();
  }

  static void Main (string[] args)
  {
    int ofNative = int.Parse (args[0]), ofManaged = int.Parse (args[1]), threads = int.Parse (args[2]);
    native = Marshal.AllocHGlobal (ofNative * MB + 1);
    for (int i = 0; i < ofNative * MB; i += 1024)
      Marshal.WriteByte (native, i, 1);
    arrays = new byte[ofManaged][];
    for (int i = 0; i < ofManaged; i++) {
      arrays[i] = new byte[MB];
      for (int k = 0; k < MB; k += 1024)
        arrays[i][k] = 1;
    }
    var used = new CountdownEvent (threads + 1);
    var end = new ManualResetEvent (false);
    for (int i = 0; i < threads; i++)
      new Thread (() => UseStack (used, end), 2 * MB) { IsBackground = true }.Start ();
    used.Signal ();
    used.Wait ();
    Thread.Sleep (2500);
    Console.WriteLine ("resident {0}", long.Parse (File.ReadAllText ("/proc/self/statm").Split (' ')[1]) * Environment.SystemPageSize);
    end.Set ();
  }
}
