/* method-words.h -- names of methods as the program's author knows them.
 *
 * Compilers make lambdas, local functions, async methods and iterators into methods and classes
 * with names of their own: <Main>b__0 and <PriceOf>d__3 (csc, its GeneratedNames), <Main>m__0 and
 * <PriceOf>c__async0 (mcs).
 */
#ifndef PROFLOG_METHOD_WORDS_H
#define PROFLOG_METHOD_WORDS_H

#include <stdbool.h>

/* "lambda in Shop.Catalog:PriceOf (Shop.Item)" for "Shop.Catalog/<>c:<PriceOf>b__0_0 (Shop.Item)";
 * "lambda 2 in" is the next of that method.  Names of other forms are unchanged.  `with_arguments`:
 * with the types of the arguments, where the name has them (transfer full). */
char *method_words (const char *name, bool with_arguments);

#endif
