/* native.c -- a library for native.cs whose work is done in functions that it does not export. */

double native_work (int rounds);
int (*native_order (void)) (const void *, const void *);

static __attribute__ ((noinline)) double
hidden_sums (double x)
{
  for (int i = 0; i < 20000000; i++)
    x = x * 1.0000001 + i;
  return x;
}

static __attribute__ ((noinline)) double
hidden_quotients (double x)
{
  for (int i = 1; i < 3000000; i++)
    x = i / (x + 1);
  return x;
}

double
native_work (int rounds)
{
  double x = 1;
  for (int i = 0; i < rounds; i++)
    x = hidden_sums (x) + hidden_quotients (x);
  return x;
}

static int
hidden_order (const void *a, const void *b)
{
  const int x = *(const int *) a, y = *(const int *) b;
  return (x > y) - (x < y);
}

int (*native_order (void)) (const void *, const void *)
{
  return hidden_order;
}
