// Allocations as programs make them: objects of many types, strings, arrays, boxes, lists and
// dictionaries, from many places and depths, most of them soon dead, on three threads.
// Argument: rounds for each thread.
using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;

namespace Bench {
  class Point { public double X, Y; }
  class Customer { public string Name; public Order[] Orders; public Dictionary<string, object> Fields; }
  class Order { public int Number; public List<Item> Items = new List<Item> (); }
  class Item { public string Name; public decimal Price; public object Note; }
  class Link { public Link Next; public object Value; }

  // A value type for each instance of the generic types: each is a class of its own.
  struct A {}
  struct B { public int Number; }
  struct C { public long Number; }
  struct D { public double Number; public string Text; }
  struct Of<X, Y> { public X First; public Y Second; }
  class Box<T> { public T Value; }

  interface IMaker {
    object Make (int size);
  }

  class Maker<T> : IMaker {
    object MakeBox () { return new Box<T> (); }
    object MakeArray (int size) { return new T[size]; }
    object MakeList (int size)
    {
      var list = new List<T> ();
      for (int i = 0; i < size; i++)
        list.Add (default (T));
      return list;
    }
    public object Make (int size)
    {
      switch (size % 4) {
      case 0: return MakeArray (size);
      case 1: return MakeList (size);
      default: return MakeBox ();
      }
    }
  }

  static class Makers {
    static void Pairs<X> (List<IMaker> all)
    {
      all.Add (new Maker<X> ());
      all.Add (new Maker<Of<X, A>> ());
      all.Add (new Maker<Of<X, B>> ());
      all.Add (new Maker<Of<X, C>> ());
      all.Add (new Maker<Of<X, D>> ());
    }

    static void Fours<X> (List<IMaker> all)
    {
      Pairs<X> (all);
      Pairs<Of<X, A>> (all);
      Pairs<Of<X, B>> (all);
      Pairs<Of<X, C>> (all);
      Pairs<Of<X, D>> (all);
    }

    public static List<IMaker> All ()
    {
      var all = new List<IMaker> ();
      Fours<A> (all);
      Fours<B> (all);
      Fours<C> (all);
      Fours<D> (all);
      return all;
    }
  }

  class Work {
    readonly Random random;
    readonly List<IMaker> makers = Makers.All ();
    readonly object[] kept = new object[5000];   // what lives longer

    public Work (int seed) { random = new Random (seed); }

    void Keep (object made)
    {
      if (random.Next (20) == 0)
        kept[random.Next (kept.Length)] = made;
    }

    Item MakeItem (int i)
    {
      return new Item { Name = "item " + i, Price = i, Note = i % 3 == 0 ? (object) i : null };
    }

    Order MakeOrder (int number)
    {
      var order = new Order { Number = number };
      for (int i = random.Next (6); i >= 0; i--)
        order.Items.Add (MakeItem (i));
      return order;
    }

    Customer MakeCustomer ()
    {
      var customer = new Customer { Name = new string ('n', 5 + random.Next (20)),
                                    Orders = new Order[random.Next (4)],
                                    Fields = new Dictionary<string, object> () };
      for (int i = 0; i < customer.Orders.Length; i++)
        customer.Orders[i] = MakeOrder (i);
      customer.Fields["age"] = random.Next (99);
      return customer;
    }

    Link MakeLinks (int length, int depth)
    {
      if (depth > 0)
        return MakeLinks (length, depth - 1);
      Link first = null;
      for (int i = 0; i < length; i++)
        first = new Link { Next = first, Value = i % 2 == 0 ? new Point () : null };
      return first;
    }

    string MakeText ()
    {
      var text = new StringBuilder ();
      for (int i = 0; i < 10; i++)
        text.Append ("line ").Append (i).Append ('\n');
      return String.Join (",", text.ToString ().Split ('\n'));
    }

    object MakeGrid ()
    {
      var rows = new double[8][];
      for (int i = 0; i < rows.Length; i++)
        rows[i] = new double[1 << random.Next (7)];
      return rows;
    }

    public void Run (int rounds)
    {
      for (int i = 0; i < rounds; i++) {
        Keep (MakeCustomer ());
        Keep (MakeLinks (10, random.Next (20)));
        Keep (MakeText ());
        Keep (MakeGrid ());
        for (int j = 0; j < 20; j++)
          Keep (makers[random.Next (makers.Count)].Make (random.Next (12)));
      }
    }
  }

  static class Alloc {
    static int Main (string[] arguments)
    {
      int rounds = int.Parse (arguments[0]);
      var threads = new Thread[3];
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
