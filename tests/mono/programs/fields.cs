// Objects of classes of their own, each held by one reference whose place is known: it prints
// "holder field target", a line each, of those in objects, and "static CLASS.FIELD target" of the others.
using System;

namespace Probe
{
    class OfField {}
    class OfBase {}
    class OfProperty {}
    class OfStruct {}
    class OfDeepStruct {}
    class OfGeneric {}
    class OfGenericValue {}
    class OfElement {}
    class OfElementPart {}
    class OfGrid {}
    class OfStatic {}
    class OfStaticStruct {}
    class OfGenericStatic {}
    class OfOtherStatic {}
    class OfCapture {}

    struct Inner
    {
        public int number;
        public OfDeepStruct deep;
    }

    struct Pair
    {
        public long number;
        public OfStruct first;
        public Inner inner;
    }

    struct Slot
    {
        public int hash;
        public string none;
        public OfElementPart part;
    }

    struct StaticPair
    {
        public byte number;
        public OfStaticStruct second;
    }

    class Base
    {
        int number;
        OfBase inherited = new OfBase ();
        public override string ToString () { return inherited.ToString () + number; }
    }

    class Middle : Base
    {
        public int other;
    }

    class Holder : Middle
    {
        public byte small;
        public OfField own = new OfField ();
        public Pair pair;
        public OfProperty Auto { get; set; }
        public object none;
        public int last;
    }

    class Box<T>
    {
        public int number;
        public T value;
        public OfGeneric second;
        public static OfGenericStatic shared;
    }

    static class Statics
    {
        public static int number = 1;
        public static string none;
        public static OfStatic kept = new OfStatic ();
        public static StaticPair pair;
        [ThreadStatic] public static OfOtherStatic of_thread;
        public const string constant = "constant";
    }

    class Fields
    {
        static Holder holder;
        static Box<OfGenericValue> box;
        static Box<long> other_box;
        static object[] elements = new object[9];
        static Slot[] slots = new Slot[7];
        static OfGrid[,] grid = new OfGrid[2, 3];
        static Func<OfCapture> captured;

        static void Say (string holder, string field, object target)
        {
            Console.WriteLine ("{0} {1} {2}", holder, field, target);
        }

        static void Fill ()
        {
            OfCapture captive = new OfCapture ();
            holder = new Holder { Auto = new OfProperty () };
            holder.pair.first = new OfStruct ();
            holder.pair.inner.deep = new OfDeepStruct ();
            box = new Box<OfGenericValue> { value = new OfGenericValue () };
            other_box = new Box<long> { second = new OfGeneric () };
            elements[5] = new OfElement ();
            slots[3].part = new OfElementPart ();
            grid[1, 2] = new OfGrid ();
            Statics.pair.second = new OfStaticStruct ();
            Statics.of_thread = new OfOtherStatic ();
            Box<OfGenericValue>.shared = new OfGenericStatic ();
            captured = () => captive;
        }

        static void Main ()
        {
            Fill ();
            GC.Collect ();
            Say ("Probe.Holder", "own", typeof (OfField));
            Say ("Probe.Holder", "inherited", typeof (OfBase));
            Say ("Probe.Holder", "<Auto>k__BackingField", typeof (OfProperty));
            Say ("Probe.Holder", "pair.first", typeof (OfStruct));
            Say ("Probe.Holder", "pair.inner.deep", typeof (OfDeepStruct));
            Say ("Probe.Box<Probe.OfGenericValue>", "value", typeof (OfGenericValue));
            Say ("Probe.Box<System.Int64>", "second", typeof (OfGeneric));
            Say ("System.Object[]", "[5]", typeof (OfElement));
            Say ("Probe.Slot[]", "[3].part", typeof (OfElementPart));
            Say ("Probe.OfGrid[,]", "[5]", typeof (OfGrid));
            Say ("static", "Probe.Statics.kept", typeof (OfStatic));
            Say ("static", "Probe.Statics.pair.second", typeof (OfStaticStruct));
            Say ("static", "Probe.Box<Probe.OfGenericValue>.shared", typeof (OfGenericStatic));
            Say ("static", "Probe.Fields.holder", typeof (Holder));
            Say ("static", "Probe.Fields.captured", "System.Func<Probe.OfCapture>");
            GC.KeepAlive (holder);
        }
    }
}
