"""One file of tests, every one with its own M and its own model."""
import unittest

import torch
from torch.export import Dim, export


class ExportTests(unittest.TestCase):
    def check(self, model, example, dims, *others):
        program = export(model, example, dynamic_shapes=dims)
        for other in others:
            torch.testing.assert_close(program.module()(*other), model(*other))

    def test_static(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        model = M()
        self.check(model, (torch.ones(2, 2),), None, (torch.zeros(2, 2),))

    def test_dynamic(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        model = M()
        x = torch.ones(2, 2)
        self.check(model, (x,), {"x": {0: Dim("b")}}, (torch.zeros(9, 2),), (x,))

    def test_auto(self):
        class M(torch.nn.Module):
            def forward(self, x, y):
                return x.cos() + y

        model = M()
        x = torch.ones(4, 1)
        self.check(model, (x, x + 1), ({0: Dim.AUTO}, {0: Dim.AUTO}), (torch.zeros(9, 1), torch.zeros(9, 1)))

    def test_one_row(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.tan()

        x = torch.ones(1, 2)
        model = export(M(), (x,)).module()
        model(torch.zeros(1, 2))

    def test_another_size(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.exp()

        x = torch.ones(6, 2)
        model = M()
        model(torch.ones(3, 2))
        model = export(model, (x,), dynamic_shapes=[{0: Dim.DYNAMIC}]).module()
        self.assertEqual(model(torch.zeros(1, 2)).shape, (1, 2))


if __name__ == "__main__":
    unittest.main()
