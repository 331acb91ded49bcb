// Methods without calls: those that can fail, whose frames a backtrace has to show, and those that
// cannot.  Prints how often each failed.
using System;
using System.Collections.Generic;

struct Point {
  public int X;
  public int Get () { return X; }
}

class Node {
  public int Value;
  public Node Next;
  public Point At;
  static readonly Dictionary<string, int> failed = new Dictionary<string, int> ();

  // These cannot fail.
  public int Get () { return Value; }
  public void Set (int value) { Value = value; }
  public bool IsOdd { get { return (Value & 1) != 0; } }
  public int Larger (int other) { return Value > other ? Value : other; }
  public static int Constant () { return 7; }

  // These can, though they look much the same.
  public int ThroughNext () { return Next.Value; }
  public void SetNext (int value) { Next.Value = value; }
  public int ThisOrNext (bool which) { return (which ? this : Next).Value; }
  public static int OfArgument (Node node) { return node.Value; }
  public static int OfLocal (Node node) { Node n = node; return n.Value; }
  public int OfReplaced (bool replace) { Node n = this; if (replace) n = null; return n.Value; }
  public static int Element (int[] array, int i) { return array[i]; }
  public static int Divide (int a, int b) { return a / b; }
  public static int Checked (int a, int b) { return checked (a + b); }
  public static string Cast (object o) { return (string) o; }
  public static int Inner (Node node) { return node.At.X; }

  static void Fail (string name, Action action)
  {
    try {
      action ();
    } catch (Exception) {
      int n;
      failed.TryGetValue (name, out n);
      failed[name] = n + 1;
    }
  }

  static int Main ()
  {
    var node = new Node ();
    int sum = 0;
    for (int i = 0; i < 5; i++) {
      node.Set (i);
      sum += node.Get () + (node.IsOdd ? 1 : 0) + node.Larger (3) + Constant () + node.At.Get ();
      Fail ("ThroughNext", () => node.ThroughNext ());
      Fail ("SetNext", () => node.SetNext (1));
      Fail ("ThisOrNext", () => node.ThisOrNext (false));
      Fail ("OfArgument", () => OfArgument (null));
      Fail ("OfLocal", () => OfLocal (null));
      Fail ("OfReplaced", () => node.OfReplaced (true));
      Fail ("Element", () => Element (new int[2], 2));
      Fail ("Divide", () => Divide (1, node.Value - node.Value));
      Fail ("Checked", () => Checked (int.MaxValue, 1));
      Fail ("Cast", () => Cast (node));
      Fail ("Inner", () => Inner (null));
    }
    foreach (var pair in failed)
      Console.WriteLine ("{0} {1}", pair.Key, pair.Value);
    return sum == 5 * 7 + 10 + 2 + 3 * 4 + 4 ? 0 : 1;
  }
}
