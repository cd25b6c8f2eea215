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
PYTEST := $(BIN)/python -m pytest
# These share a screen and a clipboard and watch the clock, so they run one after another, with nothing beside them.
WINDOW_TESTS := tests/gui tests/opengl

ifdef NO_GL
PYTEST_FLAGS += -m "not slow and not gl"
DISPLAY_RUN :=
else
PYTEST_FLAGS += -m "not slow"
DISPLAY_RUN := xvfb-run -a -s "-screen 0 1280x1024x24"
endif

.PHONY: demo test test-all check lint wheel wheel-check system-packages clean

demo: $(STAMPS)/run
	$(BIN)/mapexplorer demo -o $(OUT) $(if $(CI),,$(if $(DISPLAY)$(WAYLAND_DISPLAY),--open))

test: $(STAMPS)/test system-packages $(STAMPS)/validator
	$(PYTEST) -n $(JOBS) $(PYTEST_FLAGS) $(addprefix --ignore=,$(WINDOW_TESTS)) $(ARGS)
	$(DISPLAY_RUN) $(PYTEST) $(PYTEST_FLAGS) $(WINDOW_TESTS) $(ARGS)
ifdef NO_GL
	@echo "Not tested, because NO_GL is set: the OpenGL view and the window (tests marked 'gl')."
endif

test-all: $(STAMPS)/test system-packages $(STAMPS)/validator
	$(PYTEST) -n $(JOBS) --timeout 3600 $(addprefix --ignore=,$(WINDOW_TESTS)) $(ARGS)
	$(DISPLAY_RUN) $(PYTEST) --timeout 3600 $(WINDOW_TESTS) $(ARGS)

check: lint wheel-check

lint: $(STAMPS)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The wheel for this system, with its kernels compiled.
wheel: $(KERNELS)/kernels.json
	MAPEXPLORER_KERNELS=$(abspath $(KERNELS)) $(BIN)/python -m build --outdir dist

wheel-check: $(STAMPS)/dev $(KERNELS)/kernels.json
	PYTHON=$(BIN)/python MAPEXPLORER_KERNELS=$(abspath $(KERNELS)) bash tests/install/wheel.sh

$(KERNELS)/kernels.json: $(shell find formats mapexplorer -name '*.py') tools/kernel_library.py | $(STAMPS)/release
	$(BIN)/python tools/kernel_library.py --into $(KERNELS)

system-packages:
	@NO_GL=$(NO_GL) bash tests/install/system_packages.sh

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(STAMPS)/run: $(VENV)/bin/python setup.cfg pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/test: $(STAMPS)/run
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

$(STAMPS)/dev: $(STAMPS)/test
	$(BIN)/python -m pip install --quiet --editable '.[test,dev]'
	@touch $@

$(STAMPS)/release: $(STAMPS)/run
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	@touch $@

# The Khronos validator, as an independent judge of every GLB that the tests write.
$(STAMPS)/validator: $(VENV)/bin/python | system-packages
	npm install --silent --no-audit --no-fund --prefix $(VENV)/gltf-validator gltf-validator@2.0.0-dev.3.10
	@mkdir -p $(STAMPS) && touch $@

clean:
	rm -rf $(VENV) build dist $(OUT) *.egg-info
