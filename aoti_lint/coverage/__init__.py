"""How much of what matters in a project was known when it was judged."""
