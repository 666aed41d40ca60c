import sys

from commands import COMMANDS

if len(sys.argv) > 1:
    COMMANDS[sys.argv[1]]()
else:
    COMMANDS["export"](rows=8, dynamic=True)
    COMMANDS["run"](rows=3)
    COMMANDS["export"]()
    COMMANDS["run"]()
