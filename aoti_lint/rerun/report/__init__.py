"""Says what a rerun found: on the terminal, as JSON and as one HTML page that needs nothing else.

`words` puts things the way all of them say it, with the paths that the user knows (`user_paths`); `text` is for the
terminal, `page` the HTML. `saved_tensors` says what is in tensors that were saved.
"""
