"""Measures Tidemark beside what one would use otherwise, on the same input in the same run."""
