from __future__ import annotations

import ast

import pytest

from aoti_lint.source.notebooks.magics import neutralise

CELLS = [
    ("%matplotlib inline\nx = 1\n", "_#atplotlib inline\nx = 1\n"),
    ("!ls -la", "_#s -la"),
    ("%", "_"),
    ("!é", "_##"),
    ("for x in y:\n    !echo {x}\n    %time f(x)\nz", "for x in y:\n    _#cho {x}\n    _#ime f(x)\nz"),
    ("files = !ls\nt = %timeit -o f()", "files = _#s\nt = _#imeit -o f()"),
    ("a.b, c[0] = %x", "a.b, c[0] = _#"),
    ("?f\nf?\nf.g??\nx.y?  ", "_#\n_#\n_#g??\n_#y?  "),
    ("é?", "_##"),
    ("/f 1\n,g a b\n;h c", "_# 1\n_# a b\n_# c"),
    ("!pip install \\\n  torch \\\n\n%x", "_#ip install \\\n# torch \\\n\n_#"),
    ("cd LearningToPaint/", "_# LearningToPaint/"),
    ("pip install -q torch\n", "_#p install -q torch\n"),
    ("ls -la *.pt2", "_# -la *.pt2"),
    ("%%time\nx = 1", "_#time\nx = 1"),
    ("\n%%capture out\n%cd x", "\n_#capture out\n_#d x"),
    ("%%bash\nls\n\n  é | grep", "#%bash\n#s\n\n# é | grep"),
    ("%%capture \n%%bash\n# é\npip install x==1", "#%capture \n#%bash\n# é\n#ip install x==1"),
    ("# tests\n\n%%shell\nrm -rf x # y", "# tests\n\n#%shell\n#m -rf x # y"),
    ("# %%bash\n%%time\nx = 1", "# %%bash\n_#time\nx = 1"),
    ("%%writefile é.py\né = 1", "#%writefile é.py\n## = 1"),
]


@pytest.mark.parametrize(("cell", "expected"), CELLS)
def test_magics(cell: str, expected: str) -> None:
    text, changed = neutralise(cell)
    assert text == expected
    assert [len(line.encode()) for line in text.split("\n")] == [len(line.encode()) for line in cell.split("\n")]
    assert changed == [(new, old) for new, old in zip(text.split("\n"), cell.split("\n"), strict=True) if new != old]
    ast.parse(text)


@pytest.mark.parametrize(
    "cell",
    [
        "x = 1\n",
        "cat = 3",
        "env -x",
        "time (1)",
        "store",
        "x = (a\n     % b\n     != c)",
        "x = a \\\n  % b",
        "x = '''\n!ls\n%time\n'''\ny = \"\"\"a\n%x\n\"\"\"",
        "x = '''a''' + \"'''\" # '''(\ny = a != b",
        "x = {  # (\n  'a': '}',\n  % b}",
        "print('100 %')\nprint('why?')  # why?\nx = 'a = %s' % b",
        "f(a=1,\n  # )\n  **b, \n  % c)",
        "x = r'\\'\n",
    ],
)
def test_python_is_left_alone(cell: str) -> None:
    assert neutralise(cell) == (cell, [])
