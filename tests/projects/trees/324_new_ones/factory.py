from heads import Head, QuietHead

HEADS = {"head": Head, "quiet": QuietHead}


def build(name, device, **kwargs):
    return HEADS[name](**kwargs).to(device).eval()
