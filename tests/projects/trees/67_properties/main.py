import torch

from project import Project

project = Project()
project.compile()
tide = project.load()
print(tide(*project.example).shape)
print(tide(torch.zeros(3, 10)).shape)
