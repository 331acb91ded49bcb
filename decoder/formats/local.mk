# Formats: bytes -> items.  Depends on nothing else in the decoder.
