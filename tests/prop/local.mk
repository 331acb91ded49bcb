# Properties over random input.
