"""What is known already."""
