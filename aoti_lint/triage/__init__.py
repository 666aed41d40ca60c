"""What a log of a failed run says about its cause.

`causes/` knows the messages, `log` reads lines, `diagnose` decides between what was found, `report` says it.
"""
