// A large live heap, a graph with many references and types, that changes in part between the
// collections.  Arguments: live customers, collections.
using System;
using System.Collections.Generic;

namespace Bench {
  class Customer { public string Name; public Address Home; public List<Order> Orders; public Customer Friend; }
  class Address { public string Street; public City City; }
  class City { public string Name; public List<Customer> Customers = new List<Customer> (); }
  class Order { public Customer Owner; public Item[] Items; public Order Before; }
  class Item { public Product Product; public object Amount; }
  class Product { public string Name; public Dictionary<string, string> Fields; }

  // A value type for each instance of the generic class: each is a class of its own.
  struct A {}
  struct B { public int Number; }
  struct C { public long Number; }
  struct D { public object Something; }
  struct Of<X, Y> { public X First; public Y Second; }
  class Tag<T> { public T Value; public object Of; }

  interface IMaker {
    object Make (object of);
  }

  class Maker<T> : IMaker {
    public object Make (object of) { return new Tag<T> { Of = of }; }
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

    public static List<IMaker> All ()
    {
      var all = new List<IMaker> ();
      Pairs<A> (all);
      Pairs<B> (all);
      Pairs<C> (all);
      Pairs<D> (all);
      Pairs<Of<A, B>> (all);
      Pairs<Of<B, C>> (all);
      Pairs<Of<C, D>> (all);
      Pairs<Of<D, A>> (all);
      return all;
    }
  }

  class World {
    readonly Random random = new Random (1);
    readonly List<IMaker> makers = Makers.All ();
    readonly City[] cities = new City[100];
    readonly Product[] products = new Product[1000];
    readonly Customer[] customers;
    readonly object[] tags;

    public World (int count)
    {
      customers = new Customer[count];
      tags = new object[count];
      for (int i = 0; i < cities.Length; i++)
        cities[i] = new City { Name = "city " + i };
      for (int i = 0; i < products.Length; i++) {
        var fields = new Dictionary<string, string> ();
        fields["colour"] = "red";
        fields["number"] = i.ToString ();
        products[i] = new Product { Name = "product " + i, Fields = fields };
      }
      Change (1);
    }

    Customer MakeCustomer (int i)
    {
      City city = cities[random.Next (cities.Length)];
      var customer = new Customer { Name = "customer " + i,
                                    Home = new Address { Street = "street " + i % 50, City = city },
                                    Orders = new List<Order> (),
                                    Friend = customers[random.Next (customers.Length)] };
      Order before = null;
      for (int j = random.Next (4); j > 0; j--) {
        var order = new Order { Owner = customer, Items = new Item[1 + random.Next (4)], Before = before };
        for (int k = 0; k < order.Items.Length; k++)
          order.Items[k] = new Item { Product = products[random.Next (products.Length)], Amount = k };
        customer.Orders.Add (order);
        before = order;
      }
      return customer;
    }

    // One customer of PART is another one afterwards, and some cities forget theirs.
    public void Change (int part)
    {
      for (int i = 0; i < cities.Length; i += part)
        cities[random.Next (cities.Length)].Customers.Clear ();
      for (int i = random.Next (part); i < customers.Length; i += part) {
        customers[i] = MakeCustomer (i);
        customers[i].Home.City.Customers.Add (customers[i]);
        tags[i] = makers[random.Next (makers.Count)].Make (customers[i]);
      }
      foreach (Customer customer in customers)
        if (random.Next (5) == 0)
          customer.Friend = null;              // or nobody would ever die
    }
  }

  static class HeapShot {
    static int Main (string[] arguments)
    {
      var world = new World (int.Parse (arguments[0]));
      for (int i = int.Parse (arguments[1]); i > 0; i--) {
        world.Change (10);
        GC.Collect ();
      }
      GC.KeepAlive (world);
      return 0;
    }
  }
}
