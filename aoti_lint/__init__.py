"""Static checks for PyTorch export and compile configurations."""

# os.path and not pathlib: this module is imported by every run, and pathlib costs more than a whole idle run should.
import os.path

__version__ = "0.1.0"

# In a wheel the rules are aoti_lint/rules; in a checkout they are ../rules.
if not os.path.isdir(os.path.join(os.path.dirname(__file__), "rules")):
    __path__.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
