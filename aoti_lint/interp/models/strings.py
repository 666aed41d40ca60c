"""Strings: methods of `str` on constants and on texts put together from unknown parts."""
