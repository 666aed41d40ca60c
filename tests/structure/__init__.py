"""How the modules of aoti_lint lie: which may import which."""
