"""Airflow DAGs for the pipelines of a folder. README.md, two folders up, is for the people who run them."""
