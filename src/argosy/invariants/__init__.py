"""Guesses that guide the loop: nothing here is trusted, and nothing here can make a verdict wrong."""
