"""One file of tests; in the last one the model of the wrong variable is called."""
import unittest

import torch
from torch.export import Dim, export


class ExportTests(unittest.TestCase):
    def test_static(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        model = export(M(), (torch.ones(2, 2),)).module()
        model(torch.zeros(2, 2))

    def test_dynamic(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        model = export(M(), (torch.ones(2, 2),), dynamic_shapes={"x": {0: Dim("b")}}).module()
        model(torch.zeros(5, 2))

    def test_both(self):
        class M(torch.nn.Module):
            def forward(self, x):
                return x.cos()

        x = torch.ones(4, 2)
        fixed = export(M(), (x,)).module()
        free = export(M(), (x,), dynamic_shapes={"x": {0: Dim.DYNAMIC}}).module()
        self.assertEqual(free(x).shape, (4, 2))
        self.assertEqual(fixed(torch.zeros(7, 2)).shape, (7, 2))


if __name__ == "__main__":
    unittest.main()
