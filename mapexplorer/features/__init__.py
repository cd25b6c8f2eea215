"""What code adds to maps at run time: state, rules and motion as values, no drawing."""
