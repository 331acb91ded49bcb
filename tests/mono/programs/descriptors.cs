// Closes all descriptors that it has not opened, as daemons do, and has files of its own in their
// places.  Arguments: a directory; "late" closes them when much was recorded.
using System;
using System.Runtime.InteropServices;

class Program {
  [DllImport ("libc")] static extern int close (int fd);
  [DllImport ("libc")] static extern int open (string path, int flags, int mode);
  [DllImport ("libc")] static extern IntPtr write (int fd, byte[] bytes, IntPtr length);
  static object last;

  static void Allocate ()
  {
    for (int i = 0; i < 300000; i++)
      last = new object ();
  }

  static int Main (string[] arguments)
  {
    const int create = 0x42; // O_RDWR | O_CREAT
    if (arguments.Length > 1)
      Allocate ();
    for (int fd = 3; fd < 64; fd++)
      close (fd);
    var mine = new int[20];
    for (int i = 0; i < mine.Length; i++)
      mine[i] = open (arguments[0] + "/mine." + i, create, 0x180);
    Allocate ();
    foreach (int fd in mine)
      write (fd, new byte[] { (byte) 'A', (byte) 'B', (byte) 'C' }, (IntPtr) 3);
    Allocate ();
    Console.WriteLine ("done");
    return 7;
  }
}
