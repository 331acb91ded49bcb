// healthy NAME: a program of a usual kind, without a fault that a report should find.  It prints what it
// computed; `healthy` alone lists the names.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.Serialization.Formatters.Binary;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace Probe {
  [Serializable]
  class Order {
    public int Number;
    public string Customer;
    public List<double> Prices = new List<double> ();
  }

  class Tree<T> where T : IComparable<T> {
    T value;
    Tree<T> left, right;

    public Tree (T value)
    {
      this.value = value;
    }

    public void Add (T other)
    {
      if (other.CompareTo (value) < 0) {
        if (left == null)
          left = new Tree<T> (other);
        else
          left.Add (other);
      } else {
        if (right == null)
          right = new Tree<T> (other);
        else
          right.Add (other);
      }
    }

    public IEnumerable<T> All ()
    {
      if (left != null)
        foreach (var item in left.All ())
          yield return item;
      yield return value;
      if (right != null)
        foreach (var item in right.All ())
          yield return item;
    }
  }

  static class Healthy {
    static readonly Random random = new Random (1);

    static object Hello ()
    {
      return "hello";
    }

    static object Strings ()
    {
      int length = 0;
      for (int i = 0; i < 40000; i++)
        length += string.Format ("{0}: {1}", i, "item " + i).Split (':').Length;
      return length;
    }

    static object Builder ()
    {
      var text = new StringBuilder ();
      for (int i = 0; i < 200000; i++)
        text.Append (i).Append (',');
      return text.ToString ().Length;
    }

    static object Query ()
    {
      return Enumerable.Range (0, 60000).Select (i => new { Key = i % 100, Value = i * 2L })
        .Where (x => x.Value % 3 == 0).GroupBy (x => x.Key)
        .OrderByDescending (g => g.Sum (x => x.Value)).First ().Key;
    }

    static object Collections ()
    {
      var queue = new Queue<int> ();
      var set = new HashSet<int> ();
      var sorted = new SortedDictionary<int, string> ();
      for (int i = 0; i < 30000; i++) {
        queue.Enqueue (i);
        set.Add (i * 7 % 1000);
        sorted[i * 31 % 500] = "x";
      }
      return queue.Count + set.Count + sorted.Count;
    }

    static object Words ()
    {
      var counts = new Dictionary<string, int> ();
      for (int i = 0; i < 100000; i++) {
        string word = "word" + random.Next (2000);
        int count;
        counts.TryGetValue (word, out count);
        counts[word] = count + 1;
      }
      return counts.Count;
    }

    static object Tasks ()
    {
      var tasks = Enumerable.Range (0, 50).Select (i => Task.Run (() => {
        long sum = 0;
        for (int k = 0; k < 100000; k++)
          sum += k % (i + 1);
        return sum;
      })).ToArray ();
      return Task.WhenAll (tasks).Result.Sum ();
    }

    static object Files ()
    {
      string path = Path.GetTempFileName ();
      try {
        using (var writer = new StreamWriter (path))
          for (int i = 0; i < 20000; i++)
            writer.WriteLine ("line {0}", i);
        return File.ReadLines (path).Count (line => line.EndsWith ("7"));
      } finally {
        File.Delete (path);
      }
    }

    static object Expressions ()
    {
      var regex = new Regex (@"(\w+)@(\w+)\.com", RegexOptions.Compiled);
      int matches = 0;
      for (int i = 0; i < 4000; i++)
        matches += regex.Matches ("write to user" + i + "@host.com, not to nobody at host").Count;
      return matches;
    }

    static object Sockets ()
    {
      var listener = new TcpListener (IPAddress.Loopback, 0);
      listener.Start ();
      int port = ((IPEndPoint) listener.LocalEndpoint).Port;
      var server = new Thread (() => {
        using (var client = listener.AcceptTcpClient ())
        using (var stream = client.GetStream ()) {
          int b;
          while ((b = stream.ReadByte ()) > 0)
            stream.WriteByte ((byte) b);
        }
      });
      server.Start ();
      int sum = 0;
      using (var client = new TcpClient ("127.0.0.1", port))
      using (var stream = client.GetStream ()) {
        for (int i = 0; i < 300; i++) {
          stream.WriteByte ((byte) (i % 200 + 1));
          sum += stream.ReadByte ();
        }
        stream.WriteByte (0);
      }
      server.Join ();
      listener.Stop ();
      return sum;
    }

    static object Parse (string text, ref int at)
    {
      switch (text[at]) {
      case '[':
        var list = new List<object> ();
        while (text[at++] != ']')
          list.Add (Parse (text, ref at));
        return list;
      case '{':
        var map = new Dictionary<string, object> ();
        while (text[at++] != '}') {
          var key = (string) Parse (text, ref at);
          at++;
          map[key] = Parse (text, ref at);
        }
        return map;
      case '"':
        int end = text.IndexOf ('"', at + 1);
        string word = text.Substring (at + 1, end - at - 1);
        at = end + 1;
        return word;
      default:
        int begin = at;
        while (char.IsDigit (text[at]))
          at++;
        return int.Parse (text.Substring (begin, at - begin));
      }
    }

    static object Documents ()
    {
      string item = "{\"name\":\"x\",\"sizes\":[1,2,3],\"more\":{\"a\":1,\"b\":[\"c\",\"d\"]}}";
      string text = "[" + string.Join (",", Enumerable.Repeat (item, 3000)) + "]";
      int at = 0;
      return ((List<object>) Parse (text, ref at)).Count;
    }

    static object Sorting ()
    {
      var numbers = Enumerable.Range (0, 200000).Select (i => random.Next ()).ToArray ();
      Array.Sort (numbers);
      var words = numbers.Take (5000).Select (n => n.ToString ()).ToList ();
      words.Sort (string.CompareOrdinal);
      return words[0].Length > 0;
    }

    static object Matrix ()
    {
      const int n = 160;
      double[,] a = new double[n, n], b = new double[n, n], c = new double[n, n];
      for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
          a[i, k] = b[k, i] = i + k;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          for (int k = 0; k < n; k++)
            c[i, j] += a[i, k] * b[k, j];
      return c[n - 1, n - 1];
    }

    static object Threads ()
    {
      var gate = new object ();
      long total = 0;
      var threads = Enumerable.Range (0, 4).Select (t => new Thread (() => {
        long sum = 0;
        for (int i = 0; i < 1000000; i++)
          sum += i % 7;
        lock (gate)
          total += sum;
      })).ToList ();
      threads.ForEach (t => t.Start ());
      threads.ForEach (t => t.Join ());
      return total;
    }

    static object Timers ()
    {
      int ticks = 0;
      using (var done = new ManualResetEvent (false))
      using (new Timer (_ => {
        if (Interlocked.Increment (ref ticks) == 5)
          done.Set ();
      }, null, 10, 10)) {
        done.WaitOne ();
        return ticks >= 5;
      }
    }

    static object Exceptions ()
    {
      int bad = 0;
      for (int i = 0; i < 2000; i++)
        try {
          int.Parse (i % 100 == 0 ? "x" : "7");
        } catch (FormatException) {
          bad++;
        }
      return bad;
    }

    static object Reflect ()
    {
      int members = 0;
      foreach (var type in typeof (string).Assembly.GetTypes ().Take (300))
        members += type.GetMembers (BindingFlags.Public | BindingFlags.Instance).Length;
      var method = typeof (Healthy).GetMethod ("Hello", BindingFlags.NonPublic | BindingFlags.Static);
      for (int i = 0; i < 2000; i++)
        method.Invoke (null, null);
      return members > 0;
    }

    static object Trees ()
    {
      var tree = new Tree<int> (0);
      for (int i = 0; i < 10000; i++)
        tree.Add (random.Next ());
      return tree.All ().Count ();
    }

    static async Task<int> Step (int i)
    {
      if (i % 100 == 0)
        await Task.Delay (1);
      await Task.Yield ();
      return i;
    }

    static async Task<long> Steps ()
    {
      long sum = 0;
      for (int i = 0; i < 2000; i++)
        sum += await Step (i);
      return sum;
    }

    static object Asynchronous ()
    {
      return Steps ().Result;
    }

    static object Serialize ()
    {
      var orders = Enumerable.Range (0, 300).Select (i => new Order { Number = i, Customer = "c" + i }).ToList ();
      orders.ForEach (order => order.Prices.AddRange (new[] { 1.5, 2.5, 3.5 }));
      var formatter = new BinaryFormatter ();
      using (var stream = new MemoryStream ()) {
        formatter.Serialize (stream, orders);
        stream.Position = 0;
        return ((List<Order>) formatter.Deserialize (stream)).Sum (order => order.Prices.Sum ());
      }
    }

    // A loop that allocates and keeps little of it.
    static object Loop ()
    {
      var last = new List<int>[64];
      for (int i = 0; i < 150000; i++) {
        var list = new List<int> (8) { i };
        if (i % 16 == 0)
          last[i / 16 % last.Length] = list;
      }
      return last.Count (list => list != null);
    }

    static object Pipeline ()
    {
      long sum = 0;
      using (var queue = new BlockingCollection<int> (100)) {
        var consumer = Task.Run (() => {
          foreach (int item in queue.GetConsumingEnumerable ())
            sum += item;
        });
        for (int i = 0; i < 3000; i++)
          queue.Add (i);
        queue.CompleteAdding ();
        consumer.Wait ();
      }
      return sum;
    }

    static object Hashes ()
    {
      var data = new byte[1 << 16];
      random.NextBytes (data);
      using (var sha = SHA256.Create ())
        for (int i = 0; i < 20; i++)
          data[i] = sha.ComputeHash (data)[0];
      return Convert.ToBase64String (data).Length;
    }

    static object Sleep ()
    {
      Thread.Sleep (300);
      return 300;
    }

    static readonly Dictionary<string, Func<object>> programs = new Func<object>[] {
      Hello, Strings, Builder, Query, Collections, Words, Tasks, Files, Expressions, Sockets, Documents, Sorting,
      Matrix, Threads, Timers, Exceptions, Reflect, Trees, Asynchronous, Serialize, Loop, Pipeline, Hashes, Sleep
    }.ToDictionary (program => program.Method.Name);

    static void Main (string[] args)
    {
      if (args.Length == 0)
        Console.WriteLine (string.Join ("\n", programs.Keys));
      else
        Console.WriteLine ("{0}", programs[args[0]] ());
    }
  }
}
