// Calls as programs make them: interpreted trees (virtual calls), parsing, sorting, generic code in
// many instances, delegates and collections, recursion deep and shallow, exceptions, four threads.
// Argument: rounds for each thread.
using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;

namespace Bench {
  abstract class Node {
    public abstract long Value (long[] variables);
    public virtual int Depth { get { return 1; } }
  }

  class Constant : Node {
    readonly long value;
    public Constant (long value) { this.value = value; }
    public override long Value (long[] variables) { return value; }
  }

  class Variable : Node {
    readonly int index;
    public Variable (int index) { this.index = index; }
    public override long Value (long[] variables) { return variables[index]; }
  }

  abstract class Binary : Node {
    protected readonly Node left, right;
    protected Binary (Node left, Node right) { this.left = left; this.right = right; }
    protected abstract long Apply (long a, long b);
    public override long Value (long[] variables)
    {
      return Apply (left.Value (variables), right.Value (variables));
    }
    public override int Depth { get { return 1 + Math.Max (left.Depth, right.Depth); } }
  }

  class Sum : Binary {
    public Sum (Node left, Node right) : base (left, right) {}
    protected override long Apply (long a, long b) { return a + b; }
  }

  class Difference : Binary {
    public Difference (Node left, Node right) : base (left, right) {}
    protected override long Apply (long a, long b) { return a - b; }
  }

  class Product : Binary {
    public Product (Node left, Node right) : base (left, right) {}
    protected override long Apply (long a, long b) { return a * b; }
  }

  // expression = term { ("+" | "-") term }, term = factor { "*" factor }
  class Parser {
    readonly string text;
    int position;
    public Parser (string text) { this.text = text; }
    bool AtEnd () { return position >= text.Length; }
    char Peek () { return AtEnd () ? '\0' : text[position]; }
    char Next () { return text[position++]; }
    bool Accept (char wanted)
    {
      if (Peek () != wanted)
        return false;
      position++;
      return true;
    }
    static bool IsDigit (char c) { return c >= '0' && c <= '9'; }

    public Node Expression ()
    {
      Node node = Term ();
      while (true) {
        if (Accept ('+'))
          node = new Sum (node, Term ());
        else if (Accept ('-'))
          node = new Difference (node, Term ());
        else
          return node;
      }
    }

    Node Term ()
    {
      Node node = Factor ();
      while (Accept ('*'))
        node = new Product (node, Factor ());
      return node;
    }

    Node Factor ()
    {
      if (Accept ('(')) {
        Node node = Expression ();
        Accept (')');
        return node;
      }
      if (IsDigit (Peek ()))
        return Number ();
      return new Variable (Next () - 'a');
    }

    Node Number ()
    {
      long value = 0;
      while (IsDigit (Peek ()))
        value = value * 10 + (Next () - '0');
      return new Constant (value);
    }
  }

  // A value type for each instance of the generic code: each has methods of its own.
  struct A {}
  struct B {}
  struct C {}
  struct D {}
  struct Of<X, Y> {}

  interface IStage {
    long Run (long value, int depth);
  }

  class Stage<T> : IStage {
    long state = typeof (T).Name.Length;
    long Load () { return state; }
    void Store (long value) { state = value; }
    long Mix (long value) { return Rotate (value ^ Load (), 7); }
    static long Rotate (long value, int by) { return (value << by) | (long) ((ulong) value >> (64 - by)); }
    bool IsOdd (long value) { return (value & 1) != 0; }
    long Grow (long value) { return value * 3 + 1; }
    long Shrink (long value) { return value / 2; }
    long Step (long value) { return IsOdd (value) ? Grow (value) : Shrink (value); }
    long Descend (long value, int depth)
    {
      return depth == 0 ? Step (value) : Descend (Step (value), depth - 1);
    }
    public long Run (long value, int depth)
    {
      long mixed = Mix (value);
      Store (Descend (mixed, depth));
      return Load ();
    }
  }

  static class Stages {
    static void Pairs<X> (List<IStage> all)
    {
      all.Add (new Stage<X> ());
      all.Add (new Stage<Of<X, A>> ());
      all.Add (new Stage<Of<X, B>> ());
      all.Add (new Stage<Of<X, C>> ());
      all.Add (new Stage<Of<X, D>> ());
    }

    static void Fours<X> (List<IStage> all)
    {
      Pairs<X> (all);
      Pairs<Of<X, A>> (all);
      Pairs<Of<X, B>> (all);
      Pairs<Of<X, C>> (all);
      Pairs<Of<X, D>> (all);
    }

    public static List<IStage> All ()
    {
      var all = new List<IStage> ();
      Fours<A> (all);
      Fours<B> (all);
      Fours<C> (all);
      Fours<D> (all);
      return all;
    }
  }

  class Sorter {
    readonly int[] numbers;
    public Sorter (int[] numbers) { this.numbers = numbers; }
    bool Less (int a, int b) { return a < b; }
    void Swap (int i, int j)
    {
      int kept = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = kept;
    }
    int Divide (int low, int high)
    {
      int pivot = numbers[(low + high) / 2], i = low - 1, j = high + 1;
      while (true) {
        do i++; while (Less (numbers[i], pivot));
        do j--; while (Less (pivot, numbers[j]));
        if (i >= j)
          return j;
        Swap (i, j);
      }
    }
    public void Sort (int low, int high)
    {
      if (low >= high)
        return;
      int middle = Divide (low, high);
      Sort (low, middle);
      Sort (middle + 1, high);
    }
  }

  class Work {
    readonly Random random;
    readonly List<IStage> stages = Stages.All ();
    readonly Dictionary<string, int> words = new Dictionary<string, int> ();
    long result;

    public Work (int seed) { random = new Random (seed); }

    void Evaluate ()
    {
      const string text = "(a+3)*(b-c*2)+d*(12+a*(b+1))-(c+d)*(a-(b*(c+(d-5))))+7*a*b";
      Node root = new Parser (text).Expression ();
      var variables = new long[4];
      for (int i = 0; i < 20; i++) {
        for (int j = 0; j < variables.Length; j++)
          variables[j] = i * j;
        result += root.Value (variables);
      }
      result += root.Depth;
    }

    void RunStages ()
    {
      for (int i = 0; i < 60; i++)
        result += stages[random.Next (stages.Count)].Run (i, random.Next (12));
    }

    void SortNumbers ()
    {
      var numbers = new int[64];
      for (int i = 0; i < numbers.Length; i++)
        numbers[i] = random.Next ();
      new Sorter (numbers).Sort (0, numbers.Length - 1);
    }

    void CountWords ()
    {
      string[] parts = "the quick brown fox jumps over the lazy dog and runs from the dog".Split (' ');
      var text = new StringBuilder ();
      foreach (string part in parts) {
        int count;
        words.TryGetValue (part, out count);
        words[part] = count + 1;
        text.Append (part).Append (count % 10);
      }
      result += text.Length;
    }

    long Fibonacci (int n) { return n < 2 ? n : Fibonacci (n - 1) + Fibonacci (n - 2); }
    bool Even (int n) { return n == 0 || Odd (n - 1); }
    bool Odd (int n) { return n != 0 && Even (n - 1); }
    int Deep (int n) { return n == 0 ? 0 : 1 + Deep (n - 1); }

    void Recurse ()
    {
      result += Fibonacci (random.Next (12)) + (Even (random.Next (30)) ? 1 : 0);
      result += Deep (random.Next (80));
    }

    void Delegates ()
    {
      Func<long, long> twice = x => x * 2;
      Func<long, long> next = x => x + 1;
      Func<Func<long, long>, Func<long, long>, Func<long, long>> then = (f, g) => x => g (f (x));
      Func<long, long> all = then (twice, then (next, twice));
      for (int i = 0; i < 20; i++)
        result += all (i);
    }

    void Fail (int depth)
    {
      if (depth == 0)
        throw new InvalidOperationException ();
      Fail (depth - 1);
    }

    void Throw ()
    {
      try {
        Fail (random.Next (10));
      } catch (InvalidOperationException) {
        result++;
      }
    }

    public void Run (int rounds)
    {
      for (int i = 0; i < rounds; i++) {
        Evaluate ();
        RunStages ();
        SortNumbers ();
        CountWords ();
        Recurse ();
        Delegates ();
        if (i % 50 == 0)
          Throw ();
      }
    }
  }

  static class Calls {
    static int Main (string[] arguments)
    {
      int rounds = int.Parse (arguments[0]);
      var threads = new Thread[4];
      for (int i = 0; i < threads.Length; i++) {
        int seed = i + 1;
        threads[i] = new Thread (() => new Work (seed).Run (rounds));
        threads[i].Name = "worker " + i;
        threads[i].Start ();
      }
      foreach (Thread thread in threads)
        thread.Join ();
      return 0;
    }
  }
}
