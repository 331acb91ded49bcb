// quickstart: a small program that gives a profiler something to see.
//
// A shop's back office takes a day of orders: clerks in several threads price them, book them in
// one ledger that they wait for, and turn some down with an exception.  At the end of each hour
// the ledger is searched for receipts that say the same, and memory is collected.
using System;
using System.Collections.Generic;
using System.Threading;

namespace Shop {
  class OrderRefused : Exception {
    public OrderRefused (string reason) : base (reason) { }
  }

  class Item {
    public string Name;
    public int Cents;
  }

  class Order {
    public int Number;
    public List<Item> Items = new List<Item> ();
    public string Customer;
  }

  class Receipt {
    public Order Order;
    public int Total;
    public string Text;
  }

  // One ledger for all clerks: they wait for each other here.
  class Ledger {
    readonly List<Receipt> receipts = new List<Receipt> ();
    readonly object gate = new object ();

    public int Count { get { lock (gate) return receipts.Count; } }

    public void Book (Receipt receipt)
    {
      lock (gate) {
        receipts.Add (receipt);
        // Every now and then the page is full and somebody has to turn it.
        if (receipts.Count % 250 == 0)
          Thread.Sleep (2);
      }
    }

    // Compares each with each, which takes most of the program's time.
    int Twins ()
    {
      int twins = 0;
      for (int i = 0; i < receipts.Count; i++)
        for (int j = 0; j < i; j++)
          if (receipts[i].Text == receipts[j].Text)
            twins++;
      return twins;
    }

    // Keeps the last receipts only.
    public int CloseHour ()
    {
      int twins = Twins ();
      lock (gate)
        if (receipts.Count > 1000)
          receipts.RemoveRange (0, receipts.Count - 1000);
      return twins;
    }
  }

  class Clerk {
    static readonly string[] goods = { "tea", "bread", "cheese", "apples", "soap", "candles" };
    readonly Ledger ledger;
    readonly Random random;
    public int Booked, Refused;

    public Clerk (Ledger ledger, int seed)
    {
      this.ledger = ledger;
      random = new Random (seed);
    }

    public void Work (int orders)
    {
      for (int number = 1; number <= orders; number++) {
        try {
          ledger.Book (Price (TakeOrder (number)));
          Booked++;
        } catch (OrderRefused) {
          Refused++;
        }
      }
    }

    Order TakeOrder (int number)
    {
      var order = new Order { Number = number, Customer = "customer " + random.Next (100) };
      for (int i = random.Next (6); i > 0; i--)
        order.Items.Add (new Item { Name = goods[random.Next (goods.Length)], Cents = random.Next (900) });
      return order;
    }

    Receipt Price (Order order)
    {
      int total = Sum (order.Items, 0);
      if (total == 0)
        throw new OrderRefused ("nothing to pay in order " + order.Number);
      return new Receipt { Order = order, Total = total, Text = order.Customer + ": " + total };
    }

    // Recursive, as nobody should do it.
    static int Sum (List<Item> items, int from)
    {
      return from == items.Count ? 0 : items[from].Cents + Sum (items, from + 1);
    }
  }

  static class Quickstart {
    static void Main ()
    {
      const int hours = 4, clerks = 3, orders = 1500;
      var ledger = new Ledger ();
      int booked = 0, refused = 0, twins = 0;
      for (int hour = 0; hour < hours; hour++) {
        var staff = new Clerk[clerks];
        var threads = new Thread[clerks];
        for (int i = 0; i < clerks; i++) {
          var clerk = staff[i] = new Clerk (ledger, hour * clerks + i);
          threads[i] = new Thread (() => clerk.Work (orders)) { Name = "clerk " + i };
          threads[i].Start ();
        }
        foreach (var thread in threads)
          thread.Join ();
        foreach (var clerk in staff) {
          booked += clerk.Booked;
          refused += clerk.Refused;
        }
        twins += ledger.CloseHour ();
        GC.Collect ();
      }
      Console.WriteLine ("{0} orders booked, {1} refused, {2} pairs of receipts alike", booked, refused, twins);
    }
  }
}
