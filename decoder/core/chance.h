/* chance.h -- differences that chance explains: the error of shares of samples, and whether runs of
 * one program may differ as much as two groups of runs do.
 *
 * Errors are those of 95 %: of a hundred such statements some five are wrong.
 */
#ifndef PROFLOG_CHANCE_H
#define PROFLOG_CHANCE_H

#include <glib.h>

/* Standard deviations around the mean that hold 95 % of a normal distribution. */
#define CHANCE_95 1.96

struct chance_interval {
  double low, high;
};

/* The share that `hits` of `of` samples stand for, from 0 to 1: Wilson's interval, which holds for
 * few samples and for shares near 0 and 1, too.  Weighted samples have no whole numbers. */
struct chance_interval chance_share (double hits, double of);

/* Half of its width. */
double chance_share_error (double hits, double of);

/* The interval of a count of things that came one by one by chance: Byar's approximation of the
 * exact interval of Poisson's distribution.  It may be no whole number. */
struct chance_interval chance_count (double count);

/* A sum that was estimated with this variance, as parts of it: as a count that has the same error.
 * A sum without a variance is exact. */
struct chance_interval chance_estimate (double sum, double variance);

/* As many samples of one weight have the error of samples whose weights have these sums. */
double chance_samples (double sum, double sum_of_squares);

/* How far two groups of runs are apart. */
enum chance_distance {
  CHANCE_WITHIN, /* runs of one program are in one of twenty cases or more */
  CHANCE_FEW,    /* all runs of one side are above all of the other, but so few may be by chance */
  CHANCE_BEYOND, /* chance does not explain it; nor where no run differs from another of its side */
};

/* Judges two groups, of which none is empty, by the order of their amounts, which it sorts.
 * *probability: that groups of one program differ in order as much as these do, or more (Mann and
 * Whitney's test, of both sides, exact up to 20 runs; equal amounts are taken as if they spoke
 * against a difference). */
enum chance_distance chance_distance (double *base, guint n_base, double *now, guint n_now,
                                      double *probability);

/* Runs on each side at least that tell a change of so much from runs that differ by this standard
 * deviation, in four of five cases; G_MAXUINT: there is no change. */
guint chance_runs (double change, double deviation);

/* Fewer runs on each side may all be apart by chance, in more than one of twenty cases. */
#define CHANCE_RUNS_MIN 4

#endif
