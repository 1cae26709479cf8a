# Two commands do everything, set-up included: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test check laws bench clean

run: $(VENV)/ready  ## play a game in the terminal
	$(BIN)/menagerie play dobutsu

test: check laws  ## everything that must hold

check: $(VENV)/ready-dev  ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

laws: $(VENV)/ready-dev  ## the tests
	$(BIN)/pytest -n 2 --dist worksteal

bench: $(VENV)/ready-bench  ## every figure the README claims, beside its peers
	$(BIN)/python -m bench

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

$(VENV)/ready-bench: $(VENV)/ready-dev
	-$(BIN)/pip install --quiet --editable '.[bench]'
	touch $@

clean:  ## forget the set-up
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
