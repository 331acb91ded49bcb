// client SOCKET N: sends N lines to a server, 5 ms apart, marks each before it goes, and checks the answer.
using System;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using Proflog;

static class Client {
  static Socket Connect (string path)
  {
    for (int tries = 0;; tries++)
      try {
        var socket = new Socket (AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect (new UnixDomainSocketEndPoint (path));
        return socket;
      } catch (SocketException) when (tries < 500) { // the server is not there yet
        Thread.Sleep (20);
      }
  }

  static int Main (string[] args)
  {
    var stream = new NetworkStream (Connect (args[0]));
    var reader = new StreamReader (stream);
    var writer = new StreamWriter (stream) { AutoFlush = true };
    for (int i = 1; i <= int.Parse (args[1]); i++) {
      if (!Log.Mark ("request " + i))
        return 2;
      writer.WriteLine (i);
      if (reader.ReadLine () != i.ToString ())
        return 3;
      Thread.Sleep (5);
    }
    return 0;
  }
}
