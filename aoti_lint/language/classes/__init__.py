"""Classes of the project and their instances: which are modules, what they define for operators and as containers."""
