# NOTICE to the author of this file: at 14:18 the engineer of the HET2xx/5xx/6xx/7xx/801 rules overwrote your uncommitted
# version by mistake; it is not recoverable from disk. Please write your version here again, in place of this notice.
# Nothing of mine imports this file: my helpers are in tests/rules/checks.py.
