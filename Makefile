# Two commands matter: `make run` and `make test`. Both start from nothing but Python 3.11 or newer.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
TEST_SETTINGS := DJANGO_SETTINGS_MODULE=tests.settings

.PHONY: run manage test test-first test-second test-long bench check format lock openapi chromium clean
.DELETE_ON_ERROR:

run: .venv/run.stamp
	@exec $(BIN)/python -m casino.run

# A command on the running demo: make manage CMD="verify_log"
manage: .venv/run.stamp
	@exec $(BIN)/python -m casino.run manage $(CMD)

# Two halves at once, each with servers of its own: one would leave the second core idle. What the
# second prints comes at its end. With ARGS it is one run: make test ARGS=tests/games
FIRST_HALF := $(addprefix tests/,api bulk chain concurrency db e2e embedded findings games settlements)
ifdef ARGS
test: .venv/dev.stamp chromium
	@exec $(BIN)/python -m pytest -q $(ARGS)
else
test: .venv/dev.stamp chromium
	@$(MAKE) --no-print-directory --jobs=2 --keep-going test-first test-second
endif

test-first:
	@exec $(BIN)/python -m pytest -q $(FIRST_HALF)

test-second:
	@$(BIN)/python -m pytest -q tests $(addprefix --ignore=,$(FIRST_HALF)) > .venv/second.txt 2>&1; \
		status=$$?; cat .venv/second.txt; exit $$status

test-long: .venv/dev.stamp chromium
	@exec $(BIN)/python -m pytest -q -m long $(ARGS)

bench: .venv/dev.stamp
	@exec $(BIN)/python -m pytest -q -s -m bench $(ARGS)

check: .venv/dev.stamp
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache > .venv/imports.txt || { cat .venv/imports.txt; exit 1; }
	$(TEST_SETTINGS) $(BIN)/python -W error manage.py check
	$(TEST_SETTINGS) $(BIN)/python manage.py makemigrations --check --dry-run
	$(TEST_SETTINGS) $(BIN)/python manage.py spectacular --validate --fail-on-warn --file .venv/openapi.yaml
	@diff -u docs/openapi.yaml .venv/openapi.yaml || { echo "docs/openapi.yaml is behind: make openapi"; exit 1; }
	$(BIN)/python -m pytest -q tests/architecture/test_tidy.py

format: .venv/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

openapi: .venv/dev.stamp
	$(TEST_SETTINGS) $(BIN)/python manage.py spectacular --validate --file docs/openapi.yaml

# Locks for every platform, with hashes and without addresses; UPGRADE=--upgrade takes newer versions.
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet $(UPGRADE) --universal \
	--python-version 3.11 --generate-hashes --no-emit-index-url
lock: | .venv/bin/python
	$(BIN)/uv --version >/dev/null 2>&1 || $(PIP) install uv
	$(LOCK) requirements/run.in -o requirements/run.txt
	$(LOCK) -c requirements/run.txt requirements/dev.in -o requirements/dev.txt

chromium:
	@sh tests/chromium.sh

clean:
	rm -rf .venv staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; set PYTHON to one."; exit 1; }
	@$(PYTHON) -m venv .venv \
		|| { rm -rf .venv; echo "Python's venv module is needed (Debian: apt-get install python3-venv)."; exit 1; }

.venv/run.stamp: requirements/run.txt | .venv/bin/python
	@echo "[casino] installing the locked dependencies"
	@$(PIP) install --require-hashes --no-deps -r requirements/run.txt
	@touch $@

# The development lock holds the other one, so both are installed after it.
.venv/dev.stamp: requirements/dev.txt requirements/run.txt | .venv/bin/python
	@echo "[casino] installing the locked dependencies of tests and checks"
	@$(PIP) install --require-hashes --no-deps -r requirements/dev.txt
	@touch .venv/run.stamp $@
