"""What code can be worth: values, symbols, conditions, cells and the events that tell of it."""
