"""Command lines made of functions: click, typer, fire, tyro."""
