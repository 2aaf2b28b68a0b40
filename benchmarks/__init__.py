"""What the project claims about itself, measured: `python -m benchmarks NAME`.

Each file here offers `main(argv) -> int` and prints ratios measured side by side in one run, because a
time by itself says more about the machine than about the program.
"""
