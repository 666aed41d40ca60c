import cli


def test_static():
    assert cli.main(["build", "static.pt2", "--rows", "4"]) == 0
    assert cli.main(["check", "static.pt2", "--rows=4"]) == 0


def test_dynamic():
    assert cli.main(["build", "dynamic.pt2", "--dynamic"]) == 0
    assert cli.main(["check", "dynamic.pt2", "--rows", "9"]) == 0


def test_wrong():
    assert cli.main(["build", "wrong.pt2", "--rows", "4"]) == 0
    assert cli.main(["check", "wrong.pt2", "--rows", "6"]) == 0


if __name__ == "__main__":
    test_static()
    test_dynamic()
    test_wrong()
