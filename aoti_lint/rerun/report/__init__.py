"""Says what a rerun found: on the terminal, as JSON and as one HTML page that needs nothing else.

`words` puts things the way all of them say it, `text` is for the terminal, `page` the HTML, made with `markup`.
"""
