"""A unit test of a build script; torch's functions are replaced before anything is called."""
from unittest import mock

import torch


def build(path, device):
    so = torch._inductor.aoti_compile_and_package(object(), package_path=path)
    return torch._inductor.aoti_load_package(so), device


def test_build():
    with (
        mock.patch("torch._inductor.aoti_compile_and_package", return_value="m.pt2") as compile_,
        mock.patch.object(torch._inductor, "aoti_load_package", side_effect=lambda p: p.upper()),
        mock.patch("torch._inductor.aot_load", create=True) as gone,
    ):
        assert build("m.pt2", "cuda") == ("M.PT2", "cuda")
        gone.assert_not_called()
        compile_.assert_called_once()


if __name__ == "__main__":
    test_build()
    print("fine")
