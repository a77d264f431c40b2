# `make demo` and `make test` do all the set-up on a fresh machine with Python 3.11 or newer.

.PHONY: demo test check lint types pytest fuzz experiments picture docs dist extension clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
JOBS ?= 2
BUILT := pyproject.toml CMakeLists.txt $(wildcard src/argosy/kernel/cpp/*)

# The first interpreter that is new enough; `make PYTHON=...` names another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

# An UNSAFE verdict is exit code 10, which is what the second program is for.
demo: $(VENV)/installed
	$(BIN)/argosy verify examples/c/two_counters.c --strategy lbe
	$(BIN)/argosy verify examples/c/overdraft.c || test $$? -eq 10

# Random tests draw the same examples each time, so that a failure means that something was changed; `make test SEED=7`
# draws others, `make test EXAMPLES=1` twice as many.
SEED ?= 0
EXAMPLES ?= 0.5
test: lint
	@$(MAKE) --no-print-directory --jobs 2 --keep-going types pytest

check: lint types

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The type checker takes a minute, beside the tests.
types: $(VENV)/installed-dev
	$(BIN)/mypy

pytest: $(VENV)/installed-dev
	$(COMPILE)
	env -u MAKEFLAGS -u MAKELEVEL ARGOSY_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -q -n $(JOBS) --hypothesis-seed=$(SEED) --durations=40 --durations-min=5

# Random programs against exhaustive execution; `make fuzz FUZZ="--count 100 --seed 7"` says how many and which.
FUZZ ?= --count 5000 --jobs $(JOBS)
fuzz: $(VENV)/installed-dev
	$(BIN)/python -m tests.fuzz $(FUZZ)

# The research questions of [Theta] on a few of the examples; results/theta_rqN_small/index.html shows what came out.
QUESTIONS ?= 1 2 3 4 5 6
experiments: $(VENV)/installed
	@for n in $(QUESTIONS); do $(BIN)/python experiments/theta_rq$$n.py --small --jobs $(JOBS) || exit $$?; done

# The documentation as a site, site/index.html: every link within it leads somewhere, or this fails.
docs: $(VENV)/installed-docs
	$(BIN)/python docs/make_library.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

$(VENV)/installed-docs: $(VENV)/installed
	$(PIP) --editable '.[docs]'
	touch $@

# What is published: dist/*.tar.gz and dist/*.whl, looked at by twine and, where it has the stable ABI, by abi3audit.
DIST_PYTHON ?= $(PYTHON)
dist: | $(BIN)/python
	$(PIP) --upgrade build twine abi3audit
	rm -rf dist
	$(BIN)/python -m build --sdist --outdir dist
	$(DIST_PYTHON) -m venv $(VENV)/dist
	$(VENV)/dist/bin/python -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist dist/*.tar.gz
	$(BIN)/python -m twine check --strict dist/*
	for wheel in dist/*.whl; do \
		case $$wheel in *abi3*) $(BIN)/python -m abi3audit --strict --summary $$wheel || exit 1 ;; esac; done

# The extension for Visual Studio Code, editors/vscode/argosy-VERSION.vsix; needs npm.
extension: editors/vscode/node_modules
	cd editors/vscode && npm run --silent package

# What the tests take from npm; they are skipped where it is not there.
NPM := npm install --no-audit --no-fund --no-save --silent
editors/vscode/node_modules: editors/vscode/package.json
	cd editors/vscode && $(NPM)
	touch $@

$(VENV)/npm: | $(BIN)/python
	$(NPM) --prefix $@ @microsoft/sarif-multitool@5

picture: $(VENV)/installed-dev
	$(BIN)/python docs/make_picture.py
	$(BIN)/python docs/make_workbench.py

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "python -m venv failed; on Debian and Ubuntu it needs the package python3-venv" >&2; exit 1; }

# An installed package has its bytecode; one that is edited in place has it where Python may write it (which
# PYTHONDONTWRITEBYTECODE forbids, at a quarter of a second for each start).
COMPILE := $(BIN)/python -m compileall -q -j 0 src

$(VENV)/installed: $(BUILT) | $(BIN)/python
	$(PIP) --editable .
	$(COMPILE)
	touch $@

$(VENV)/installed-dev: $(BUILT) | $(BIN)/python
	$(PIP) --editable '.[dev]'
	$(COMPILE)
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
