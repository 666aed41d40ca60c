import bisect

SIZES = (1, 4, 16)


def bucket_for(count: int) -> int:
    """The smallest size that holds `count`."""
    place = bisect.bisect_left(SIZES, count)
    if place == len(SIZES):
        raise ValueError(f"{count} is more than {SIZES[-1]}")
    return SIZES[place]
