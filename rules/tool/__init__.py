"""`AOTI0xx`: about the linter's own business. The engine makes these findings; here is what they mean."""
