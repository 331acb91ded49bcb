// Heap snapshots by a child process, and that this process does not notice it.
// forked-shots count ROUNDS: a live graph that changes between snapshots, and right after each has begun;
//   prints "shot:S:Probe.Node N" of the S-th, "references:S N", and "waits:seen N": how often a wait for any child
//   found one.
// forked-shots stop: takes snapshots until it has stopped the child of one, prints "child PID", and "shots done" after
//   that snapshot.  Waits for a line on its standard input.
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace Probe {
  class Node { public Node Next, Other; public long Number; } // 16 + 3 * 8: 40 bytes
  class Young { public Young Before; }

  static class ForkedShots {
    const int StopSignal = 19, NoHang = 1, NoSuchChild = 10;
    static readonly Node[] lists = new Node[1000];
    static int live;
    static long references;
    static volatile bool isOver, hasStopped;
    static int waitsThatSaw, otherErrors, sawEndOfPipe;
    static Young young;

    [DllImport ("libmono-profiler-proflog")] static extern int proflog_control (string request, StringBuilder text, IntPtr size);
    [DllImport ("libc", SetLastError = true)] static extern int waitpid (int pid, out int status, int options);
    [DllImport ("libc")] static extern int kill (int pid, int signal);
    [DllImport ("libc")] static extern int getpid ();
    [DllImport ("libc")] static extern int pipe (int[] ends);
    [DllImport ("libc")] static extern int close (int fd);
    [DllImport ("libc")] static extern IntPtr read (int fd, byte[] bytes, IntPtr length);

    static void Grow (int n)
    {
      for (int i = 0; i < n; i++, live++)
        lists[i % 1000] = new Node { Next = lists[i % 1000], Other = lists[(i * 7 + 1) % 1000], Number = i };
    }

    // Forgets half of the lists.
    static void Shrink ()
    {
      for (int i = 0; i < lists.Length; i++) {
        for (Node node = lists[i]; i % 2 == 0 && node != null; node = node.Next)
          live--;
        if (i % 2 == 0)
          lists[i] = null;
      }
      for (int i = 1; i < lists.Length; i += 2)
        for (Node node = lists[i]; node != null; node = node.Next)
          node.Other = null;
    }

    static void CountReferences ()
    {
      references = 0;
      foreach (Node list in lists)
        for (Node node = list; node != null; node = node.Next)
          references += (node.Next != null ? 1 : 0) + (node.Other != null ? 1 : 0);
    }

    // In a thread of its own, so that no stack keeps an address of what is dropped later.
    static void Do (ThreadStart work)
    {
      var thread = new Thread (work);
      thread.Start ();
      thread.Join ();
    }

    // Of the main thread, which collects for snapshots; 0: none.
    static int Child ()
    {
      string[] children = File.ReadAllText ("/proc/self/task/" + getpid () + "/children").Split (' ');
      return children[0] != "" ? int.Parse (children[0]) : 0;
    }

    static void Wait ()
    {
      int status;
      int child = waitpid (-1, out status, NoHang);
      if (child >= 0)
        waitsThatSaw++;
      else if (Marshal.GetLastWin32Error () != NoSuchChild)
        otherErrors++;
    }

    // What is closed here is closed, though the child was forked while it was open.
    static void SeePipe (int[] ends)
    {
      close (ends[1]);
      read (ends[0], new byte[1], (IntPtr) 1);
      close (ends[0]);
      if (Child () != 0)
        sawEndOfPipe++;
    }

    // While a snapshot is recorded: waits for children, and changes the heap.
    static void Disturb ()
    {
      while (!isOver) {
        var ends = new int[2];
        pipe (ends);
        int child;
        while ((child = Child ()) == 0 && !isOver) {
          Wait ();
          Thread.Sleep (1);
        }
        SeePipe (ends);
        while (Child () != 0) {
          Wait ();
          for (int i = 0; i < 1000; i++)
            young = new Young { Before = i == 0 ? null : young };
          GC.Collect (0);
        }
      }
    }

    static void Shot ()
    {
      if (proflog_control ("heapshot", null, IntPtr.Zero) != 0)
        throw new Exception ("no snapshot");
    }

    static void Count (int rounds)
    {
      var disturber = new Thread (Disturb);
      disturber.Start ();
      for (int round = 1; round <= rounds; round++) {
        Do (() => Grow (100000));
        if (round % 2 == 0)
          Do (Shrink);
        Do (CountReferences);
        Console.WriteLine ("shot:{0}:Probe.Node {1}\nreferences:{0} {2}", round, live, references);
        Shot ();
      }
      isOver = true;
      disturber.Join ();
      Console.WriteLine ("waits:seen {0}\nwaits:other {1}\npipes:ended {2}", waitsThatSaw, otherErrors,
                         sawEndOfPipe != 0 ? 1 : 0);
    }

    // Does it stop, or is it at its end?
    static bool Stops (int child)
    {
      if (kill (child, StopSignal) != 0)
        return false;
      for (;;) {
        string stat = File.Exists ("/proc/" + child + "/stat") ? File.ReadAllText ("/proc/" + child + "/stat") : ") Z";
        char state = stat[stat.LastIndexOf (')') + 2];
        if (state == 'T' || state == 'Z' || state == 'X')
          return state == 'T';
        Thread.Yield ();
      }
    }

    // A child begins with all files of its parent open.
    static bool HasClosedFiles (int child)
    {
      try {
        return 2 * Directory.GetFileSystemEntries ("/proc/" + child + "/fd").Length
          < Directory.GetFileSystemEntries ("/proc/self/fd").Length;
      } catch (UnauthorizedAccessException) { // after that, its folder is of root
        return true;
      } catch (IOException) { // it has ended
        return false;
      }
    }

    static void StopChild ()
    {
      int child;
      while ((child = Child ()) == 0 || !HasClosedFiles (child) || !Stops (child))
        Thread.Yield ();
      hasStopped = true;
      Console.WriteLine ("child {0}", child);
    }

    static void Stop ()
    {
      Do (() => Grow (500000));
      var stopper = new Thread (StopChild);
      stopper.Start ();
      // On a busy machine a snapshot may be taken without a child.
      do
        Shot ();
      while (!hasStopped);
      stopper.Join ();
      Console.WriteLine ("shots done");
      Console.ReadLine ();
    }

    static int Main (string[] arguments)
    {
      if (arguments[0] == "count")
        Count (int.Parse (arguments[1]));
      else
        Stop ();
      return 7;
    }
  }
}
