#!/bin/sh
# Types have the names that the runtime gives them, whatever they are made of.
. "${srcdir:-.}/tests/mono/lib.sh"

record 0 alloc names
expect_truth
expect_names
echo "$checks figures agree"
