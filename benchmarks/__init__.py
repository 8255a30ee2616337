"""What synclint costs, as ratios within one run: ``python -m benchmarks [CORPUS…]``."""
