"""One mistake planted in a file of a published package, at a place where it is one for certain: is it told there?"""
