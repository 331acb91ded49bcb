// monitored: a program that takes commands from its standard input, works, and switches its own log.
//
//   work N          makes N thousand objects
//   mark NAME       notes NAME in the log
//   heapshot        writes down all objects that live
//   start, stop     records, and does not
//   enable KIND..., disable KIND..., flush, sync, output TARGET...: as `proflog ctl` has them
//   quit
//
//   mcs -r:PREFIX/lib/proflog/Proflog.dll monitored.cs && cp PREFIX/lib/proflog/Proflog.dll .
//   mkfifo log && proflog follow log &
//   mono --profile=proflog:alloc,format=17,output=log monitored.exe
using System;
using System.Collections.Generic;

static class Monitored {
  sealed class Item {
    public int Number;
  }

  static readonly List<Item> items = new List<Item> ();

  static void Work (int thousands)
  {
    Proflog.Log.Mark ("work");
    items.Clear ();
    for (int i = 0; i < thousands * 1000; i++)
      items.Add (new Item { Number = i % 7 });
    long sum = 0;
    foreach (var item in items)
      sum += item.Number;
    Console.WriteLine (sum);
  }

  static void Main ()
  {
    string line;
    while ((line = Console.ReadLine ()) != null && line != "quit") {
      int times;
      string reply;
      if (line.StartsWith ("work ") && int.TryParse (line.Substring (5), out times))
        Work (times);
      else if (Proflog.Log.Control (line, out reply))
        Console.WriteLine ("ok");
      else
        Console.WriteLine (reply == "" ? "not recorded" : reply.TrimEnd ());
    }
  }
}
