"""Reading the docstring of a rule."""

from __future__ import annotations

from aoti_lint.catalogue.rule_docs import Example, read

DOC = """Something is wrong.

    It has two lines.

    What happens:
        It raises:
            RuntimeError: no

    Why:
        Because.

    Bad:
        import a
        f(  # <- AB101
            1)

        g()  # noqa  # <- AB102

    Bad:
        # file: one.py
        x = 1

        # file: pkg/two.py
        from one import x  # <- AB101

    Good:
        f()

    Sources:
        The guide, https://example.org/guide.html. And more.
        https://example.org/other
    """


def test_the_sections() -> None:
    doc = read(DOC)
    assert doc.summary == "Something is wrong.\n\nIt has two lines."
    assert doc.prose["What happens"] == "It raises:\n    RuntimeError: no"
    assert doc.prose["Why"] == "Because."
    assert "How to debug" not in doc.prose
    assert doc.url == "https://example.org/guide.html"
    assert doc.good == [Example({"example.py": "f()\n"}, [])]


def test_the_examples_and_what_they_must_get() -> None:
    single, several = read(DOC).bad
    assert single.files == {"example.py": "import a\nf(  # <- AB101\n    1)\n\ng()  # noqa  # <- AB102\n"}
    assert single.expected == [("example.py", 2, "AB101"), ("example.py", 5, "AB102")]
    assert several.files == {"one.py": "x = 1\n", "pkg/two.py": "from one import x  # <- AB101\n"}
    assert several.expected == [("pkg/two.py", 1, "AB101")]


def test_a_docstring_without_sections_has_no_link() -> None:
    doc = read("Only a line.")
    assert (doc.summary, doc.prose, doc.bad, doc.good, doc.url) == ("Only a line.", {}, [], [], None)
