"""What hetc costs, beside the interpreter that runs it and programs of the same trade: `python -m benchmarks`."""
