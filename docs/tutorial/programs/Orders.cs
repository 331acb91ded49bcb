// Answers 24 requests at a time, each with one lookup of 20 ms, and takes seconds for that.
using System;
using System.Linq;
using System.Threading.Tasks;

static class Prices {
  public static async Task<int> Lookup (int item)
  {
    await Task.Delay (20);
    return item * 7 % 100;
  }
}

static class Orders {
  static int Total (int order)
  {
    return Task.Run (() => Prices.Lookup (order)).Result + 3;
  }

  static void Main ()
  {
    var requests = Enumerable.Range (0, 24).Select (i => Task.Run (() => Total (i))).ToArray ();
    Console.WriteLine ("{0} orders: {1}", requests.Length, requests.Sum (request => request.Result));
  }
}
