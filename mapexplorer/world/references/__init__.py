"""The references between records, and the checks that follow them."""
