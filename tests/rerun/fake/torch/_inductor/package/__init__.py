from .package import AOTICompiledModel, load_package, package_aoti
