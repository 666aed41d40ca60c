"""The flows of a project as a picture: who exports, compiles, loads and calls what, and what is wrong between them."""
