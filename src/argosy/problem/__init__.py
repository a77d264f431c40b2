"""What is asked: a model, and the properties that it is asked about."""
