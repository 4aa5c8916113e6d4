# Needs make and Python 3.11 or newer with the venv module; no root. `make demo` and `make test` install what they need into .venv.

# Interpreters to try, in order; `make PYTHON=/path/to/python demo` names one.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
# More for pytest or the benchmarks: make test ARGS="-k zygote -x"
ARGS ?=
# Processes that share the tests, a file of them at a time; JOBS=0 runs them in one, for a debugger or to see what is printed.
JOBS ?= auto

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest
SHARED_OUT = --numprocesses=$(JOBS) --maxprocesses=8 --dist=loadfile
PIP_INSTALL := -m pip install --quiet --no-input --disable-pip-version-check

# The path that the interpreter gives itself, because `python3` may be a script that is slow to find the real one.
FIND_PYTHON := for name in $(PYTHON); do \
	python=$$("$$name" -c 'import sys; sys.version_info >= (3, 11) and print(sys.executable)' 2>/dev/null); \
	if [ -n "$$python" ]; then break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	echo "ScaleBox needs Python 3.11 or newer; tried: $(PYTHON). Install one, or name it: make PYTHON=/path/to/python demo" >&2; exit 1; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	echo "$$python has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; \
	fi

LOCK_FLAGS := --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate --quiet --upgrade

.DEFAULT_GOAL := help
.PHONY: help install demo demo-judges test test-data test-languages test-slow check bench fmt lock clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

install: $(READY) ## the environment in .venv, from the lock file

# The package goes in without build isolation, so that the build backend too comes from the lock file.
$(READY): requirements-dev.lock pyproject.toml
	@$(FIND_PYTHON); echo "Installing into $(VENV) with $$python" >&2; "$$python" -m venv $(VENV)
	@$(BIN)/python $(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@$(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY) ## judge a dozen example programs in one process, no server
	@$(BIN)/scalebox demo

demo-judges: $(READY) ## make special judges for two problems from recorded replies of a language model, and prove them
	@$(BIN)/scalebox judges demo

test: $(READY) ## the tests
	$(PYTEST) $(SHARED_OUT) $(ARGS)

test-data: $(READY) ## judge the public data beside the checkout, bounded; SCALEBOX_FULL_DATA=1 takes all of it
	$(PYTEST) -m data -rs $(ARGS)

test-languages: $(READY) ## the tests of every language whose toolchain is here, in boxes (scalebox toolchains install all)
	$(PYTEST) $(SHARED_OUT) -m languages -rs $(ARGS)

test-slow: $(READY) ## more of what quicker tests show: further broken judges, the demo of judges
	$(PYTEST) $(SHARED_OUT) -m slow -rs $(ARGS)

check: $(READY) ## what CI runs: format, lint, types, import rules, tests
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST) $(SHARED_OUT) $(ARGS)

bench: $(READY) ## measure speed, and render docs/performance.md (ARGS="--quick" to try it)
	@$(BIN)/python $(PIP_INSTALL) --require-hashes -r requirements-bench.lock
	$(BIN)/python benchmarks/run.py $(ARGS)

fmt: $(READY) ## format the code and mend what can be mended
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

lock: ## resolve the dependencies anew into the lock files
	@$(FIND_PYTHON); "$$python" -m venv build/lock
	@build/lock/bin/python $(PIP_INSTALL) 'uv>=0.9,<1'
	build/lock/bin/uv pip compile $(LOCK_FLAGS) --output-file requirements.lock pyproject.toml
	build/lock/bin/uv pip compile $(LOCK_FLAGS) --group dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	build/lock/bin/uv pip compile $(LOCK_FLAGS) --group bench --constraint requirements-dev.lock --output-file requirements-bench.lock pyproject.toml

clean: ## remove everything made here
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
