"""The ground: places in a text, and what is wrong with one."""
