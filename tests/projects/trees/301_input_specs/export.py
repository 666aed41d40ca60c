from tasks import Depth, Flow

for task in (Depth, Flow):
    program = task().export()
    print(task.__name__, program.module()(**task().input_spec.example_inputs(5)).shape)
