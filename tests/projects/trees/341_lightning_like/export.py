from tasks import Regress, Tuned

Regress().to_program()
Regress().eval().to_program(hooks=False)
Tuned().to_program()
