// leak: a server's sessions end, but none removes its handler from an event; so none is ever freed.
//
//   mcs leak.cs
//   proflog run --allocs --heapshot -o leak.mlpd mono leak.exe
//   proflog heap leaks leak.mlpd
using System;
using System.Threading;

static class Registry {
  public static event EventHandler ShuttingDown;

  public static void ShutDown ()
  {
    if (ShuttingDown != null)
      ShuttingDown (null, EventArgs.Empty);
  }
}

sealed class Session {
  public static int Closed;
  readonly byte[] buffer = new byte[200];

  public Session ()
  {
    // The mistake: nothing removes it when the session ends.
    Registry.ShuttingDown += OnShuttingDown;
  }

  public int Handle (string request)
  {
    for (int i = 0; i < request.Length; i++)
      buffer[i] = (byte) request[i];
    var response = new byte[4000];
    return response.Length;
  }

  void OnShuttingDown (object sender, EventArgs args)
  {
    Closed++;
  }
}

static class Server {
  static long Serve (int batch)
  {
    long bytes = 0;
    for (int i = 0; i < 500; i++) {
      var session = new Session ();
      for (int request = 0; request < 5; request++)
        bytes += session.Handle ("request " + batch + "." + i + "." + request);
    }
    return bytes;
  }

  static void Main ()
  {
    long bytes = 0;
    for (int batch = 1; batch <= 6; batch++) {
      bytes += Serve (batch);
      Thread.Sleep (500); // until the next ones come
    }
    Registry.ShutDown ();
    Console.WriteLine ("{0} bytes served; {1} sessions still there at the end", bytes, Session.Closed);
  }
}
