from torch.export import Dim

ROWS = Dim("rows", min=1, max=512)

EXPORT = {
    "dynamic_shapes": {"left": {0: ROWS}, "right": {0: ROWS}},
    "strict": False,
}
PACKAGE = dict(
    package_path="pairs.pt2",
    inductor_configs={"max_autotune": False},
)
LOAD = {"run_single_threaded": True}
