# Everything runs in $(VENV), which is made from requirements.lock: Python >= 3.11 and make are all that a clone needs.
# make PYTHON=/path/to/python    takes that interpreter
# make VENV=.venv-3.12           makes and uses another environment
# make release PYTHONS="a b"     tries the packages with those interpreters

VENV ?= .venv
PYTHON ?=
PYTEST_ARGS ?= -n 2
LOCK_ARGS ?=
FUZZ ?= -max_total_time=20
UV_VERSION = 0.13.9
DOCS = .cache/venv-docs
MUTATION = .cache/venv-mutation
RELEASE = .cache/venv-release
PYTHONS ?= python3.11 python3.12 python3.13

# The versions that CI tests, newest first, then whatever else there may be.
CANDIDATES = python3.13 python3.12 python3.11 python3.14 python3 python
BIN = $(VENV)/bin
RUN = $(BIN)/python -m

# Modules left uncompiled would be compiled again at every start of hetc, which the tests do by the hundred.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test check lint slow tables schemas component docs playground fuzz mutants bench release lock clean
.DELETE_ON_ERROR:

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | while IFS='	' read -r name text; do printf '%-11s %s\n' "$$name" "$$text"; done

demo: $(VENV)/.ready ## print the Volcano Job compiled from examples/train.het
	@$(BIN)/hetc build examples/train.het

test: $(VENV)/.ready ## run the test suite
	$(RUN) pytest $(PYTEST_ARGS)

check: lint slow ## what CI asks beyond `test`: ruff, mypy, the slow judges, the package in all its forms

lint: $(VENV)/.ready ## ruff and mypy
	$(RUN) ruff check .
	$(RUN) mypy

slow: $(VENV)/.ready ## the tests that need a build, a network or an outside judge
	$(RUN) pytest $(PYTEST_ARGS) --dist loadfile -m slow

tables: $(VENV)/.ready ## write the parser's tables anew from grammar/het.lark
	$(BIN)/python scripts/tables.py

schemas: $(VENV)/.ready ## write the schemas, the tables of docs/reference and the manual page anew from the tables of fields and options
	$(BIN)/python -m scripts.schemas
	$(BIN)/python -m scripts.docs
	$(BIN)/python -m scripts.man

component: $(VENV)/.ready ## write kustomize/component/ anew from the schema inside kustomize; needs Go
	$(BIN)/python -m scripts.component

docs: $(DOCS)/.ready ## build the site of docs/ in .cache/site, strictly
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/python -m mkdocs build --strict --quiet
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory playground; else echo "docs: no npm, so without the playground"; fi

playground: $(VENV)/.ready ## put the playground together in .cache/site/playground, beside the pages of `make docs`; needs npm
	$(BIN)/python scripts/playground.py .cache/site/playground

fuzz: $(VENV)/.ready ## fuzz hetc lint: 20 s for each of three targets, or other options of libFuzzer in FUZZ
	@VENV="$(VENV)" LIMIT="$(FUZZ)" fuzz/run

mutants: $(MUTATION)/.ready ## which changes to the rules would no test notice? MODULES="rules/mount_path quantity" asks of those
	$(MUTATION)/bin/python scripts/mutants.py $(MODULES)

bench: $(VENV)/.ready ## what hetc costs, beside programs of the same trade
	@benchmarks/peers
	@$(RUN) benchmarks

release: $(RELEASE)/.ready ## make and judge in dist/ all that a release would publish, and publish nothing
	@$(RELEASE)/bin/python -m scripts.release $(PYTHONS)

# Pins stay as they are unless pyproject.toml rules them out; LOCK_ARGS=--upgrade lets them move.
COMPILE = .cache/uv/bin/uv pip compile pyproject.toml --quiet --no-config --no-sources --no-emit-index-url --no-emit-find-links \
	--universal --python-version 3.11 --generate-hashes --custom-compile-command 'make lock' $(LOCK_ARGS)

lock: $(VENV)/.ready ## pin the dependencies of pyproject.toml in requirements*.lock
	$(RUN) venv .cache/uv
	.cache/uv/bin/python -m pip install --quiet uv==$(UV_VERSION)
	$(COMPILE) --extra verify --extra lsp --group test --group build --output-file requirements.lock
	$(COMPILE) --extra verify --extra lsp --constraint requirements.lock --output-file requirements-run.lock
	for group in docs fuzz mutation release; do $(COMPILE) --group $$group --output-file requirements-$$group.lock || exit; done

clean: ## remove the environment and everything that was made
	rm -rf "$(VENV)" .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A candidate counts when it runs: version managers put commands on PATH that only fail.
# Standard output belongs to `make demo`, so all of this talks on standard error.
$(VENV)/.locked: requirements.lock
	@{ \
	for candidate in "$(PYTHON)" $(if $(PYTHON),,$(CANDIDATES)); do \
		[ -n "$$candidate" ] || continue; \
		if ! command -v "$$candidate" >/dev/null 2>&1; then tried="$$tried  $$candidate: not found\n"; \
		elif ! version=$$("$$candidate" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null); then tried="$$tried  $$candidate: does not run\n"; \
		elif ! "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then tried="$$tried  $$candidate: is $$version\n"; \
		elif ! "$$candidate" -c 'import ensurepip, venv' 2>/dev/null; then tried="$$tried  $$candidate: has no venv or ensurepip (on Debian: the package python3-venv)\n"; \
		else python=$$candidate; break; fi; \
	done; \
	if [ -z "$$python" ]; then printf "hetc needs Python 3.11 or newer with venv and pip. Tried:\n$$tried"; exit 1; fi; \
	echo "Making $(VENV) with $$python (Python $$version)"; \
	"$$python" -m venv --clear "$(VENV)" && \
	$(RUN) pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock && \
	touch "$@"; \
	} >&2

$(VENV)/.ready: $(VENV)/.locked pyproject.toml
	@$(RUN) pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . >&2
	@touch "$@"

$(MUTATION)/.ready: requirements-mutation.lock | $(VENV)/.ready
	@$(RUN) venv --clear $(MUTATION)
	@$(MUTATION)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-mutation.lock
	@touch "$@"

$(DOCS)/.ready: requirements-docs.lock | $(VENV)/.ready
	@$(RUN) venv --clear $(DOCS)
	@$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-docs.lock
	@touch "$@"

$(RELEASE)/.ready: requirements-release.lock | $(VENV)/.ready
	@$(RUN) venv --clear $(RELEASE)
	@$(RELEASE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-release.lock
	@touch "$@"
