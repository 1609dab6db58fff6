# The Python package: the libraries that its wheel carries, wheels, tests; included by the Makefile.

PYTHON ?= python3
CARRY  := $(BUILD)/package/carry

# The oldest glibc that wheels run with. Before 2.34 threads, dlopen and shm_open were in libraries
# of their own.
OLD_LIBC := 2.28
OLD_LIBS := -Wl,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1

# libapsp with what a machine may lack beside it: all that it needs but for the C library's own,
# with their licences.
CARRIED := $(CARRY)/libapsp.so
$(CARRIED): $(PUBLIC) $(LIBRARY) src/library/apsp.map \
  $(addprefix python/,python.mk carry.sh old_libc.c old_libc.py) packaging/sbom.py
	@rm -rf $(CARRY)
	@mkdir -p $(CARRY)
	$(CC) -shared $(CFLAGS) $(LDFLAGS) -s -Wl,-soname,$(SONAME) \
	  -Wl,--version-script=src/library/apsp.map \
	  -Wl,--as-needed -Wl,-rpath,'$$ORIGIN' python/old_libc.c $(PUBLIC) $(LIBRARY) \
	  $(subst -lstdc++,-l:libstdc++.a,$(LDLIBS)) $(OLD_LIBS) \
	  -Wl,-Map=$(CARRY).map -o $@.part
	CC='$(CC)' VERSION=$(VERSION) PYTHON=$(PYTHON) sh python/carry.sh $@.part $(CARRY) $(CARRY).map
	$(PYTHON) python/old_libc.py $(OLD_LIBC) $(CARRY)/*.so*
	@mv $@.part $@

python-library: $(CARRIED)

WHEELS := $(BUILD)/wheel
wheel: $(CARRIED)
	rm -rf $(WHEELS)
	APSP_CARRY=$(abspath $(CARRY)) $(PYTHON) -m pip wheel -q --disable-pip-version-check --no-deps \
	  --wheel-dir $(WHEELS) ./python ./python/nx_apsp

# A virtual environment with the wheel and the packages that tests compare with; those that cannot
# be had are skipped by name.
check-python: $(CARRIED)
	BUILD=$(BUILD) APSP_CARRY=$(abspath $(CARRY)) PYTHON=$(PYTHON) sh python/tests/check.sh

# The types of both packages, by mypy --strict; skipped by name where that is absent.
check-types:
	@if $(PYTHON) -c 'import mypy' 2>/dev/null; then $(PYTHON) -m mypy --cache-dir $(BUILD)/mypy \
	  --config-file python/pyproject.toml; \
	else echo "skip check-types: no mypy"; fi

## make check-wheel: the wheel in bare trees of Debian 11 and 13, as root
check-wheel: wheel
	BUILD=$(BUILD) sh tests/wheel.sh

## make check-wheel-aarch64: a wheel for aarch64 by a cross compiler, run by qemu, as root
check-wheel-aarch64:
	BUILD=$(BUILD) sh tests/aarch64.sh

# NetworkX's own tests with the backend nx-apsp, for each minor version; half an hour.
check-networkx: $(CARRIED)
	BUILD=$(BUILD) APSP_CARRY=$(abspath $(CARRY)) PYTHON=$(PYTHON) sh python/nx_apsp/check.sh

bench-python: all
	BUILD=$(BUILD) APSP_LIBRARY=$(abspath $(SHARED)) PYTHONPATH=python $(PYTHON) bench/python.py

bench-python-few: all
	APSP_LIBRARY=$(abspath $(SHARED)) PYTHONPATH=python $(PYTHON) bench/python_few.py

bench-python-rows-gpu: all
	APSP_LIBRARY=$(abspath $(SHARED)) PYTHONPATH=python $(PYTHON) bench/python_rows_gpu.py

bench-python-calls: all
	APSP_LIBRARY=$(abspath $(SHARED)) PYTHONPATH=python $(PYTHON) bench/python_calls.py

bench-python-batch: all
	APSP_LIBRARY=$(abspath $(SHARED)) PYTHONPATH=python $(PYTHON) bench/python_batch.py

# NetworkX's calls by nx-apsp and by its peers, those that PYTHON has; BACKENDS are arguments of
# backends.py.
bench-backends: $(CARRIED)
	rm -rf $(BUILD)/backends
	APSP_CARRY=$(abspath $(CARRY)) $(PYTHON) -m pip install -q --disable-pip-version-check --no-deps \
	  --target $(BUILD)/backends ./python ./python/nx_apsp
	BUILD=$(BUILD) PYTHONPATH=$(BUILD)/backends $(PYTHON) bench/backends.py $(BACKENDS)

.PHONY: python-library wheel check-python check-types check-wheel check-wheel-aarch64 \
  check-networkx \
  bench-backends bench-python bench-python-batch bench-python-calls bench-python-few \
  bench-python-rows-gpu
