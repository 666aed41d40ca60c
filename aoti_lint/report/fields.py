"""Fields above a long page that show a part of it. Without JavaScript they are not there, and all of it is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from aoti_lint.quoting.html import Html, el

STYLE: Final = Html("""
form.filter { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin: 1rem 0; padding: .6rem 0;
  position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--rule); z-index: 1; }
form.filter[hidden], [data-item][hidden], section.group[hidden] { display: none; }
form.filter label { display: grid; font-size: .85rem; color: var(--quiet); }
form.filter input, form.filter select { font: inherit; font-size: .9rem; padding: .2rem .4rem; max-width: 16rem;
  color: var(--ink); background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; }
@media print { form.filter { display: none; } }
""")
"""How they look; part of every page that has them."""
SCRIPT: Final = Html("""
"use strict";
const form = document.querySelector("form.filter");
if (form) {
  const items = [...document.querySelectorAll("[data-item]")];
  const texts = items.map((item) => item.textContent.toLowerCase());
  const shows = (item, at) => [...form.elements].every((field) =>
    !field.value || !field.name || (field.name === "text" ? texts[at].includes(field.value.toLowerCase())
      : (item.dataset[field.name] || "").split("\\n").includes(field.value)));
  const apply = () => {
    items.forEach((item, at) => { item.hidden = !shows(item, at); });
    const asked = [...form.elements].some((field) => field.name && field.value);
    document.querySelectorAll("details.rest").forEach((rest) => { rest.open = asked; });
    document.querySelectorAll("section.group").forEach((group) => {
      group.hidden = !group.querySelector("[data-item]:not([hidden])"); });
    const kinds = [...new Set(items.map((item) => item.dataset.item))];
    form.querySelector("output").value = kinds.map((kind) => {
      const all = items.filter((item) => item.dataset.item === kind);
      return `${all.filter((item) => !item.hidden).length} of ${all.length} ${kind}`; }).join(", ");
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}
""")
"""It shows the elements whose attribute `data-NAME` has the line that is chosen in the field NAME.

They have `data-item`, which says what they are. What is folded away in `details.rest` is opened for a question."""


def controls(choices: Mapping[str, tuple[str, Iterable[str]]]) -> Html:
    """The fields: for each name its label and what may be chosen; and one for a text."""
    return el(
        "form",
        *(_choice(name, label, values) for name, (label, values) in choices.items()),
        el("label", "text", el("input", type="search", name="text")),
        el("output", class_="quiet"),
        class_="filter", hidden="",
    )  # fmt: skip


def _choice(name: str, label: str, values: Iterable[str]) -> Html:
    options = [el("option", "all", value=""), *(el("option", one, value=one) for one in values)]
    return el("label", label, el("select", *options, name=name))
