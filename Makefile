# Two commands do everything, set-up included: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGES := web/dist/index.html
SITE := http://localhost:8000
# Until the site answers, or make has ended: a first start may take minutes.
ASK = $(BIN)/python -c 'import urllib.request as web; web.urlopen("$(SITE)/health")' 2>/dev/null
WAIT = until $(ASK); do sleep 1; kill -0 $$PPID 2>/dev/null || exit; done
# Everything is compiled once, before the tests begin, and not by two at a time while one of them waits.
WARM = MENAGERIE_GAMES=$(CURDIR)/tests/games $(BIN)/menagerie warm
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test check laws browser bench bench-site bench-solve screenshots clean

run: $(VENV)/ready $(PAGES)  ## the site, at the address it prints
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then ($(WAIT) && $(BIN)/python -m webbrowser -t $(SITE)/ >/dev/null) & fi
	$(BIN)/menagerie serve

test: check laws browser  ## everything that must hold

check: $(VENV)/ready-dev web/node_modules/ready  ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd web && npm run --silent check

laws: $(VENV)/ready-dev web/node_modules/ready  ## the tests
	$(WARM)
	$(BIN)/python tests/oracles/stockfish.py  # an opponent
	$(BIN)/pytest -n 3 --dist worksteal --ignore tests/browser
	cd web && npm run --silent test

browser: $(VENV)/ready-dev $(PAGES)  ## the site in a real Chromium
	$(WARM)
	$(BIN)/pytest -n 4 --dist worksteal tests/browser

screenshots: $(VENV)/ready-dev $(PAGES)  ## every page in every theme, at a desk and on a phone, in screenshots/
	$(BIN)/python tests/browser/screenshots.py screenshots

bench-site: $(VENV)/ready-dev  ## the site under load, about half an hour
	$(BIN)/python -m bench.server

bench-solve: export MENAGERIE_TABLES := $(CURDIR)/tables
bench-solve: $(VENV)/ready-dev  ## every table solved, derived again and compared, and all that docs/ says of them; a quarter of an hour
	$(BIN)/python -m bench.solve --check --quiet --folder $(CURDIR)/tables
	$(BIN)/python -m bench.beside dobutsu
	$(BIN)/python -m bench.limits checkers
	$(BIN)/python -m bench.limits chak
	$(BIN)/python -m bench.claims
	$(BIN)/python -m bench.longest dobutsu
	$(BIN)/python -m bench.longest dobutsu --rules official
	$(BIN)/python -m bench.distances dobutsu --out tables/distances.svg
	cmp tables/distances.svg docs/pictures/dobutsu-distances.svg

bench: $(VENV)/ready-bench  ## every figure the README claims, beside its peers
	-$(BIN)/python tests/oracles/stockfish.py
	$(BIN)/python -m bench
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.server

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

$(PAGES): web/node_modules/ready web/index.html $(shell find web/src web/public -type f)
	cd web && npm run --silent build
	touch $@

web/node_modules/ready: web/package-lock.json
	@command -v npm >/dev/null || [ "$$(id -u)" != 0 ] || { apt-get update -qq; apt-get install -y -qq nodejs npm; }
	@command -v npm >/dev/null || { echo "Node.js 20 or newer with npm is missing: install it (Debian: apt-get install nodejs npm) and run make again." >&2; exit 1; }
	cd web && npm ci --silent --no-fund --no-audit
	touch $@

clean:  ## forget the set-up
	rm -rf web/node_modules web/dist screenshots tables $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
