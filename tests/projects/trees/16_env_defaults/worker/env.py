import os


def build_device():
    return os.environ.get("TRANSLIT_BUILD_DEVICE", "cpu")


def run_device():
    return os.getenv("TRANSLIT_DEVICE", default="cuda:0")


LIBRARY = os.path.join(os.getenv("TRANSLIT_HOME", os.getcwd()), "translit.so")
