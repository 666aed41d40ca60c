"""The tensors that the debug printer saves (level 1): read, judged, and compared with those of another run.

`names` understands the files' names, `dumps` reads them, `judge` finds where bad values begin, `compare` where two runs
part, `report` says it. Reading needs torch; nothing is unpickled but tensors (`weights_only=True`).
"""
