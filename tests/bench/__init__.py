"""Measurements that print figures: python -m tests.bench.NAME."""
