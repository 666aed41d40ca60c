import torch

from encoder import TextEncoder
from exporter import Exporter

encoder = TextEncoder.from_pretrained("text-small", width=32)
wide = Exporter(encoder, batch=4).run()
print(wide.module()(**encoder.dummy_inputs(1, 7)).shape)
program = Exporter(encoder, length=32).run()
print(program.module()(**encoder.dummy_inputs(3, 7)).shape)
