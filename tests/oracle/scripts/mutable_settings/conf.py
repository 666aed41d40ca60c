device = "cpu"
values = {"rows": 2, "width": 3}
