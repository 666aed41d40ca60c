"""The schemas of operators: what they say, what they are read from, what torch makes of annotations."""
