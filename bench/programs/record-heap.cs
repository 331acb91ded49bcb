// A graph of objects that lives, and collections.  Arguments: objects in millions, collections.
using System;

class Node {
  public Node Left, Right;
  public int[] Data;
}

class Program {
  static Node Grow (int depth)
  {
    var node = new Node ();
    if (depth > 0) {
      node.Left = Grow (depth - 1);
      node.Right = Grow (depth - 1);
    }
    if (depth % 3 == 0)
      node.Data = new int[depth];
    return node;
  }

  static void Main (string[] arguments)
  {
    // A tree of depth 16 has 131,071 nodes and 87,000 arrays or so.
    int trees = (int) (double.Parse (arguments[0]) * 1000000 / 180000);
    var all = new Node[trees];
    for (int i = 0; i < trees; i++)
      all[i] = Grow (16);
    for (int i = 0; i < int.Parse (arguments[1]); i++)
      GC.Collect ();
    GC.KeepAlive (all);
  }
}
