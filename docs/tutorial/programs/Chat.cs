// Sessions of a chat: each listens to a room as long as it is open.  It leaks: see leak.md.
using System;
using System.Text;
using System.Threading;

class Room {
  public static event Action<string> Said;
  public static void Say (string text) { if (Said != null) Said (text); }
}

class Session {
  readonly byte[] screen = new byte[4096];
  int lines;

  public void Open () { Room.Said += Show; }
  // It should also do: Room.Said -= Show;
  public void Close () { lines = 0; }

  void Show (string text)
  {
    int n = Math.Min (text.Length, screen.Length);
    Encoding.ASCII.GetBytes (text, 0, n, screen, 0);
    lines++;
  }
}

class Chat {
  static void Serve (int sessions)
  {
    for (int i = 0; i < sessions; i++) {
      var session = new Session ();
      session.Open ();
      Room.Say ("number " + i + " is here");
      session.Close ();
    }
  }

  static void Main ()
  {
    for (int hour = 0; hour < 8; hour++) {
      var thread = new Thread (() => Serve (400));
      thread.Start ();
      thread.Join ();
      GC.Collect ();
    }
    Console.WriteLine ("{0} kB in use at the end", GC.GetTotalMemory (true) / 1000);
  }
}
