// Writes an invoice for each customer of a shop.  It is slow: see slow.md.
using System;
using System.Collections.Generic;
using System.Text;

class Order {
  public int Customer, Cents;
}

class Shop {
  readonly List<Order> orders = new List<Order> ();

  public Shop (int customers)
  {
    var random = new Random (1);
    for (int i = 0; i < 20 * customers; i++)
      orders.Add (new Order { Customer = random.Next (customers), Cents = random.Next (100, 5000) });
  }

  // Looks at the orders of all customers for each of them.
  public List<Order> OrdersOf (int customer)
  {
    var found = new List<Order> ();
    foreach (Order order in orders)
      if (order.Customer == customer)
        found.Add (order);
    return found;
  }

  Dictionary<int, List<Order>> byCustomer;

  // ... and this one but once.
  public List<Order> IndexedOrdersOf (int customer)
  {
    if (byCustomer == null) {
      byCustomer = new Dictionary<int, List<Order>> ();
      foreach (Order order in orders) {
        if (!byCustomer.ContainsKey (order.Customer))
          byCustomer[order.Customer] = new List<Order> ();
        byCustomer[order.Customer].Add (order);
      }
    }
    List<Order> found;
    return byCustomer.TryGetValue (customer, out found) ? found : new List<Order> ();
  }
}

class Invoices {
  static string Write (List<Order> orders)
  {
    var text = new StringBuilder ();
    int sum = 0;
    foreach (Order order in orders) {
      text.AppendFormat ("{0,10:0.00}\n", order.Cents / 100.0);
      sum += order.Cents;
    }
    return text.AppendFormat ("{0,10:0.00} in all\n", sum / 100.0).ToString ();
  }

  static void Main (string[] args)
  {
    const int customers = 4000;
    bool indexed = args.Length > 0 && args[0] == "--index";
    var shop = new Shop (customers);
    int length = 0;
    for (int customer = 0; customer < customers; customer++)
      length += Write (indexed ? shop.IndexedOrdersOf (customer) : shop.OrdersOf (customer)).Length;
    Console.WriteLine ("{0} invoices, {1} characters", customers, length);
  }
}
