from fixtures import CASES

for name, case in CASES.items():
    program = case.program().module()
    for rows in case.other_rows():
        print(name, program(*case.inputs(rows)).shape)
