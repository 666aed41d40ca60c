import torch


def pad_to(rows, multiple):
    length = max(len(row) for row in rows)
    length = (length + multiple - 1) // multiple * multiple
    out = torch.zeros(len(rows), length)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out
