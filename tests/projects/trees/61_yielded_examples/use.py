from itertools import islice

import torch

from samples import batches

gust = torch._inductor.aoti_load_package("gust.pt2")
for stations in (1, 5, 9):
    for wind, pressure in islice(batches(stations), 2):
        print(stations, tuple(gust(wind, pressure).shape))
