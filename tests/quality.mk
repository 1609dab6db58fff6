# How much the tests see; included by the Makefile. docs/testing.md has what came of it.

# Lines of src/ that `make check` runs: CHECK="NAME ..." runs those tests alone.
coverage:
	$(MAKE) GPU=none BUILD=$(BUILD)/coverage WERROR= CFLAGS="-O1 -g -fno-inline --coverage -fprofile-update=atomic -Wno-format-truncation" all \
	  $(patsubst $(BUILD)/%,$(BUILD)/coverage/%,$(TESTS) $(FAULTS) $(HOUSE) $(NO_METIS) $(EXAMPLES) $(LIBRARY_FAULTS) $(REPLAYS))
	find $(BUILD)/coverage -name "*.gcda" -delete
	-BUILD=$(BUILD)/coverage sh tests/run.sh $(CHECK)
	python3 tests/coverage.py $(BUILD)/coverage

# Faults that somebody has planted: MUTANTS="--count 300 --jobs 2" and so on (tests/mutants.py --help). It goes on where it was.
mutants:
	BUILD=$(BUILD) python3 tests/mutants.py $(MUTANTS)
mutants-named:
	BUILD=$(BUILD) python3 tests/mutants.py --named

.PHONY: coverage mutants mutants-named
