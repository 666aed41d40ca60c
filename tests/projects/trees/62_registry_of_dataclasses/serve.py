import torch

from specs import REGISTRY

LOBBY_DEVICE = "cuda"

kiosk = REGISTRY["kiosk"]
small = torch._export.aot_load(str(kiosk.library.resolve()), kiosk.device)
print("kiosk", tuple(small(torch.ones(kiosk.shape)).shape))

big = torch._export.aot_load(str(REGISTRY["lobby"].library.resolve()), LOBBY_DEVICE)
print("lobby", tuple(big(torch.ones(REGISTRY["lobby"].shape, device=LOBBY_DEVICE)).shape))
