# How much the tests see; included by the Makefile. docs/internals/testing.md has what came of it.

# Lines of src/ that `make check` runs: CHECK="NAME ..." runs those tests alone.
COVERAGE       := $(BUILD)/coverage
COVERAGE_FLAGS := GPU=none WERROR= \
  CFLAGS="-O1 -g -fno-inline --coverage -fprofile-update=atomic -Wno-format-truncation" \
  LDFLAGS="$(COVERAGE)/coverage.o -rdynamic"
$(COVERAGE)/coverage.o: tests/coverage.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O1 -fPIC -c $< -o $@

coverage-build: $(COVERAGE)/coverage.o
	$(MAKE) $(COVERAGE_FLAGS) BUILD=$(COVERAGE) all \
	  $(patsubst $(BUILD)/%,$(COVERAGE)/%,$(TESTS) $(FAULTS) $(HOUSE) $(NO_METIS) $(EXAMPLES) \
	  $(LIBRARY_FAULTS) $(REPLAYS))
	$(MAKE) $(COVERAGE_FLAGS) BUILD=$(COVERAGE)/small SMALL=1 \
	  $(patsubst $(BUILD)/%,$(COVERAGE)/%,$(SMALL_BUILT))

## make coverage, mutants: lines that the suite runs; planted faults that it notices
coverage: coverage-build
	rm -rf $(COVERAGE)/counts
	-BUILD=$(COVERAGE) COUNTS=$(abspath $(COVERAGE))/counts sh tests/run.sh $(CHECK)
	python3 tests/coverage.py $(COVERAGE)

# Faults that somebody has planted: MUTANTS="--count 300 --jobs 2" and so on (tests/mutants.py
# --help). It goes on where it was.
mutants:
	BUILD=$(BUILD) python3 tests/mutants.py $(MUTANTS)
mutants-named:
	BUILD=$(BUILD) python3 tests/mutants.py --named

## make check-races: ranks as threads with ThreadSanitizer
check-races: tsan
	$(MAKE) GPU=none CC=clang BUILD=$(BUILD)/tsan CFLAGS="-O1 -g -fsanitize=thread" \
	  LDFLAGS=-fsanitize=thread \
	  $(BUILD)/tsan/tests/comm/test_threads $(BUILD)/tsan/tests/library/test_team
	BUILD=$(BUILD)/tsan sh tests/races.sh

.PHONY: check-races coverage coverage-build mutants mutants-named
