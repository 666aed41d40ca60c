import serve
from build import compile_model
from settings import PACKAGE, Settings

compile_model(Settings.device, rows=Settings.rows)
serve.main(PACKAGE)
