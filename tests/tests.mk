# Tests; included by the Makefile. `make check` is the suite; the others are longer runs.

TESTS    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c tests/*/test_*.c))

# Linked for allocations that fail where nothing can be preloaded: the sanitizers have their own.
FAULTY_MEMORY := $(addprefix $(BUILD)/tests/faults/,memory.o strike.o)
FAULTY_WRAPS  := $(foreach f,malloc calloc realloc aligned_alloc,-Wl,--wrap=$f)

$(BUILD)/tests/%.o: tests/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests $(CFLAGS) -MMD -MP -c $< -o $@

$(TESTS:=.o): | cmocka
cmocka:
	@echo '#include <cmocka.h>' | $(CC) -include setjmp.h -include stdarg.h -include stdint.h \
	  $(CPPFLAGS) -E -x c - >/dev/null 2>&1 || \
	  { echo "the tests need cmocka, which is missing: sh launch/setup.sh install libcmocka-dev" >&2; \
	  exit 1; }

$(TESTS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/tests/reference.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -lcmocka -o $@

# Those that start MPI themselves.
OWN_MPI := $(addprefix $(BUILD)/tests/,comm/test_adopt library/test_over sparse/test_many)
$(OWN_MPI) $(OWN_MPI:=.o): private CC := $(MPICC)
TESTS := $(if $(MODULE),$(TESTS),$(filter-out $(OWN_MPI),$(TESTS)))
TESTS := $(if $(METIS),$(TESTS),$(filter-out $(BUILD)/tests/sparse/%,$(TESTS)))

# METIS and processes with faults.
$(BUILD)/tests/sparse/test_dissect: private LDLIBS += -Wl,--wrap=METIS_NodeND,--wrap=fork

# Threads that cannot be had.
$(BUILD)/tests/comm/test_threads $(BUILD)/tests/library/test_team: private LDLIBS += \
  -Wl,--wrap=pthread_create

# Rows that are wrong on request.
$(BUILD)/tests/library/test_certified: private LDLIBS += -Wl,--wrap=expand_rows,--wrap=expand_cut

# A cancel at each look whether there is one.
$(BUILD)/tests/library/test_over $(BUILD)/tests/library/test_team: private LDLIBS += \
  -Wl,--wrap=stop_wanted

# Memory with no room for edges.
$(BUILD)/tests/run/test_reads: private LDLIBS += -Wl,--wrap=estimate_room

# Every allocation is counted; and the node has as much memory as the test says.
MEMORY_WRAPS := $(foreach f,malloc calloc realloc aligned_alloc free mmap munmap,-Wl,--wrap=$f)
$(BUILD)/tests/run/test_estimate $(BUILD)/tests/sparse/test_etree: private LDLIBS += $(MEMORY_WRAPS)
$(BUILD)/tests/run/test_estimate: private LDLIBS += -Wl,--wrap=mem_node_limit

# The command without METIS (tests/cli/order.sh).
NO_METIS := $(BUILD)/tests/apsp-no-metis
$(BUILD)/tests/no_metis.o: src/sparse/order.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -UAPSP_METIS $(CFLAGS) -MMD -MP -c $< -o $@
$(NO_METIS): $(BUILD)/obj/cli/apsp.o $(BUILD)/tests/no_metis.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# Preloaded: calls of the system that fail on request (tests/faults/faults.py).
FAULTS := $(BUILD)/tests/faults/interpose.so
$(FAULTS): $(addprefix tests/faults/,interpose.c strike.c strike.h) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O1 -g -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow \
	  $(if $(WERROR),-Werror) -shared \
	  $(filter %.c,$^) -o $@

ifdef SAN
FAULTS := $(addprefix $(BUILD)/tests/faults/,$(notdir $(PROGRAMS)))
$(FAULTS): $(BUILD)/tests/faults/%: $(BUILD)/obj/cli/$$(subst -,_,%).o $(FAULTY_MEMORY) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $(FAULTY_WRAPS) $^ $(LDLIBS) -o $@
endif

# The command, and the library, with one more row of each table (tests/cli/house.sh).
HOUSE := $(BUILD)/tests/apsp-house
$(HOUSE): $(BUILD)/obj/cli/apsp.o \
  $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/house/*.c)) \
  $(BUILD)/tests/graph/source_sequence.o $(PUBLIC) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $(filter-out $(PUBLIC),$^) $(LDLIBS) -o $@
	$(CC) -shared $(CFLAGS) $(LDFLAGS) -Wl,--version-script=src/library/apsp.map \
	  $(filter-out %/apsp.o,$^) $(LDLIBS) -o $(@D)/libapsp-house.so

# A solve, for allocations that fail on request (tests/library/memory.sh).
LIBRARY_FAULTS := $(BUILD)/tests/library/fault_solve
$(LIBRARY_FAULTS): $(BUILD)/tests/library/fault_solve.o $(BUILD)/tests/reference.o \
  $(FAULTY_MEMORY) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $(FAULTY_WRAPS) $^ $(LDLIBS) -o $@

# Random sequences of questions (tests/library/sequences.sh). MPI is linked in, and runs where a
# launcher has started them.
SEQUENCES := $(if $(MODULE),$(BUILD)/tests/sequences/sequences)
$(BUILD)/tests/sequences/ranks.o $(BUILD)/tests/sequences/sequences: private CC := $(MPICC)
$(BUILD)/tests/sequences/sequences: \
  $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/sequences/*.c)) \
  $(BUILD)/tests/reference.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $(FAULTY_WRAPS) -Wl,--wrap=stop_check,--wrap=stop_wanted \
	  $^ $(LDLIBS) -o $@

# Some of the tests, with small pieces (base/size.h).
SMALL_TESTS := $(addprefix $(BUILD)/small/tests/,comm/test_adopt dense/test_host dense/test_load \
  dense/test_rounds distances/test_distances \
  graph/test_csr_rows graph/test_edges graph/test_list run/test_solve library/test_library \
  library/test_calls rows/test_output rows/test_sources)
SMALL_BUILT := $(filter-out $(if $(MODULE),,%test_adopt),$(SMALL_TESTS)) \
  $(if $(MODULE),$(BUILD)/small/libapsp_mpi.so $(BUILD)/small/tests/sequences/sequences)
small:
	$(MAKE) SMALL=1 GPU=none WERROR= CFLAGS="-O1 -g -Wno-format-truncation" BUILD=$(BUILD)/small \
	  $(SMALL_BUILT)

## make check: the whole suite, minutes
## make check TEST=graph/test_list: one test; CASE=NAME one case, RANKS=N, UNDER=gdb|valgrind
ifdef TEST
# make check TEST=graph/test_list [CASE=NAME] [RANKS=N] [UNDER=gdb|valgrind], or TEST=cli/order.sh,
# with those programs that the script names.
SCRIPT := $(if $(filter %.sh,$(TEST)),$(shell cat tests/$(TEST)))
NAMED  := $(foreach program,$(FAULTS) $(HOUSE) $(NO_METIS) $(LIBRARY_FAULTS) $(SEQUENCES),\
  $(if $(findstring /$(notdir $(program)),$(SCRIPT)),$(program))) \
  $(if $(SCRIPT),,$(BUILD)/tests/$(TEST))
check: all $(NAMED)
	@BUILD=$(BUILD) CASE='$(CASE)' RANKS='$(RANKS)' UNDER='$(UNDER)' sh tests/one.sh '$(TEST)'
else
check: test-programs
	BUILD=$(BUILD) sh tests/run.sh
endif

## make test-programs: what `make check` needs, built and not run
test-programs: all small $(TESTS) $(FAULTS) $(HOUSE) $(NO_METIS) $(EXAMPLES) $(LIBRARY_FAULTS) \
  $(SEQUENCES) $(LAB_CHECKED) $(REPLAYS)

## make quick: unit tests and a smoke run, less than a minute
# Unit tests of one rank, and a solve that proves every row: less than a minute.
quick: all $(TESTS)
	BUILD=$(BUILD) sh tests/run.sh --quick
	$(BUILD)/apsp --verify=all testcases/stored/c09.bin

## make check-asan, check-valgrind: the suite under the sanitizers; unit tests under Valgrind
check-asan:
	$(MAKE) SAN=1 BUILD=build/asan check

check-valgrind: all $(TESTS) $(EXAMPLES)
	BUILD=$(BUILD) sh tests/valgrind.sh

check-sparse check-sssp: all $(BUILD)/tests/sparse/test_many
	BUILD=$(BUILD) sh tests/sparse/many.sh

## make check-access: accessibility of 500 random graphs, beside NumPy
check-access: all
	cd python/tests && PYTHONPATH=.. APSP_LIBRARY=$(abspath $(BUILD))/libapsp.so APSP_GRAPHS=500 \
	  $${PYTHON:-python3} -B -m pytest -q -p no:cacheprovider test_access.py

## make check-skims: sums along paths of 2,000 random graphs, beside integers of Python
check-skims: all
	BUILD=$(BUILD) SKIM_GRAPHS=2000 sh tests/cli/skim.sh

## make check-betweenness: 2,000 random graphs with all options, beside networkx, igraph, NetworKit
check-betweenness: all
	mkdir -p $(BUILD)/betweenness
	$${PYTHON:-python3} tests/cli/betweenness_options.py $(BUILD)/apsp $(BUILD)/betweenness 2000

## make check-algebras: 4,000 random graphs for each algebra of paths, by all engines
check-algebras: all
	BUILD=$(BUILD) APSP_LIBRARY=$(abspath $(BUILD))/libapsp.so ALGEBRAS=4000 sh tests/cli/algebras.sh

## make check-sequences: 10,000 random sequences of questions to solutions, against a reference
check-sequences: all small $(SEQUENCES)
	BUILD=$(BUILD) SEQUENCES=10000 sh tests/library/sequences.sh

## make check-faults, check-signals: every failing call of the system; signals at random moments
# Every call of the system that fails (docs/internals/testing.md); goes on where it was stopped.
check-faults: all $(FAULTS)
	BUILD=$(BUILD) python3 -B tests/faults/faults.py
	BUILD=$(BUILD) python3 -B tests/faults/faults.py --allocations

check-reals: $(BUILD)/tests/proof/test_reals
	REALS=100000 $<

check-signals: all
	BUILD=$(BUILD) SIGNALS=200 sh tests/cli/signals.sh
	BUILD=$(BUILD) STRIKES=200 sh tests/cli/resumed.sh

# Preloaded: a rank that is late at MPI's start.
LATE := $(BUILD)/tests/cluster/late.so
$(LATE): tests/cluster/late.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O1 -g -fPIC -Wall -Wextra -Wshadow $(if $(WERROR),-Werror) -shared \
	  $< -o $@

check-cluster: all $(LATE)
	BUILD=$(BUILD) bash tests/cluster/check.sh

.PHONY: quick check check-access check-algebras check-asan cmocka check-betweenness check-cluster \
  check-faults check-reals check-sequences check-signals check-skims check-sparse \
  check-sssp check-valgrind small test-programs

-include $(wildcard $(BUILD)/tests/*.d $(BUILD)/tests/*/*.d)
