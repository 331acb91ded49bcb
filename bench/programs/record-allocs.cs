// Small objects, made twenty calls deep by methods that take turns.  Argument: millions.
using System;

class Small {
  public int A;
}

class Larger {
  public long A, B;
  public object C;
}

class Program {
  static object last;

  static void Odd (int depth, int n)
  {
    if (depth > 0) {
      Even (depth - 1, n);
      return;
    }
    for (int i = 0; i < n; i++)
      last = new Small ();
  }

  static void Even (int depth, int n)
  {
    if (depth > 0) {
      Odd (depth - 1, n);
      return;
    }
    for (int i = 0; i < n; i++)
      last = new Larger ();
  }

  static void Main (string[] arguments)
  {
    int n = (int) (double.Parse (arguments[0]) * 1000000 / 200);
    for (int i = 0; i < 100; i++) {
      Odd (20, n);
      Even (20, n);
    }
  }
}
