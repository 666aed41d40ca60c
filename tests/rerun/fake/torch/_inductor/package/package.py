from torch.export.pt2_archive._package import AOTICompiledModel, load_pt2, package_pt2


def package_aoti(archive_file, aoti_files):
    return package_pt2(archive_file, aoti_files=aoti_files)


def load_package(path, model_name="model"):
    return load_pt2(path)
