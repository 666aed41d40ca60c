from abc import ABC, abstractmethod


class EagerModelBase(ABC):
    @abstractmethod
    def get_eager_model(self): ...

    @abstractmethod
    def get_example_inputs(self): ...

    def get_example_kwarg_inputs(self):
        return None

    def get_dynamic_shapes(self):
        return None


def create_model(cls, **options):
    """Model, example inputs, keyword inputs, dynamic shapes: what every exporter asks for."""
    factory = cls(**options)
    return (
        factory.get_eager_model().eval(),
        factory.get_example_inputs(),
        factory.get_example_kwarg_inputs(),
        factory.get_dynamic_shapes(),
    )
