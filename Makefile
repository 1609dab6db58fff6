# make [GPU=auto|cuda|hip|none] [ARCH=...] [BUILD=build] [SAN=1] [SMALL=1] [CC=gcc|clang]
#
#   GPU    the device to build for; auto takes CUDA where nvcc is, then HIP where hipcc is, else none
#   ARCH   CUDA: numbers such as 90 or "80 90"; HIP: names such as gfx90a. Default: this machine's GPU
#   SAN=1  with the address and undefined-behaviour sanitizers
#   SMALL=1  with small pieces, for tests (base/size.h)
#
# Everything that is written goes to $(BUILD).

GPU   ?= auto
BUILD ?= build
PREFIX ?= /usr/local
MPICC ?= mpicc
CFLAGS ?= -O3 -g
LDFLAGS ?=

ifeq ($(origin CC),default)
CC := gcc
endif
export OMPI_CC := $(CC)

# -fPIC for the shared library; with hidden symbols it costs no table look-ups. What is installed does not name this folder.
override CFLAGS += -std=c11 -D_GNU_SOURCE -fopenmp -fPIC -fvisibility=hidden -ffile-prefix-map='$(CURDIR)'=. -Wall -Wextra -Wpedantic -Wshadow -Wvla $(if $(WERROR),-Werror)
override CPPFLAGS += -Iinclude -Isrc
LDLIBS := -lm -ldl
# cJSON statically where the archive is there, so that the program runs on machines without it.
CJSON := $(if $(shell $(CC) -print-file-name=libcjson.a | grep /),-l:libcjson.a,-lcjson)
LDLIBS += $(CJSON)
# METIS orders sparse graphs; without it the sparse engine takes orders from files alone.
METIS := $(if $(shell echo '\#include <metis.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes),\
  $(if $(shell $(CC) -print-file-name=libmetis.a | grep /),-l:libmetis.a,$(if $(shell $(CC) -print-file-name=libmetis.so | grep /),-lmetis)))
ifneq ($(METIS),)
override CPPFLAGS += -DAPSP_METIS
LDLIBS += $(METIS)
else
$(info METIS is not there: this build makes no order for the sparse engine)
endif

# libgomp for the programs statically too: only so do they say how its threads wait (src/cli/waiting.c). Clang has another runtime.
GOMP := $(if $(shell $(CC) -dM -E -x c /dev/null | grep __clang__),,$(if $(shell $(CC) -print-file-name=libgomp.a | grep /),-l:libgomp.a))

ifdef SAN
override CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
override LDFLAGS += -fsanitize=address,undefined
endif

# What is installed was built for: root's PATH may have no compiler for GPUs.
ifeq ($(GPU) $(MAKECMDGOALS),auto install)
BUILT_FOR := $(shell cat $(BUILD)/gpu-choice 2>/dev/null)
ifneq ($(BUILT_FOR),)
override GPU := $(firstword $(BUILT_FOR))
ARCH ?= $(filter-out ptx%,$(wordlist 2,$(words $(BUILT_FOR)),$(BUILT_FOR)))
PTX  ?= $(patsubst ptx%,%,$(filter ptx%,$(BUILT_FOR)))
endif
endif

ifdef SMALL
override CPPFLAGS += -DAPSP_SMALL
endif

# The sanitizers know nothing of a GPU's runtime.
ifeq ($(GPU),auto)
override GPU := $(if $(SAN),none,$(or $(if $(shell command -v nvcc),cuda),$(if $(shell command -v hipcc),hip),none))
endif

MAINS    := $(wildcard src/cli/apsp*.c)
PROGRAMS := $(addprefix $(BUILD)/,$(subst _,-,$(patsubst src/cli/%.c,%,$(MAINS))))
MODULE_SOURCES := $(wildcard src/comm/mpi*.c)
OBJECTS  := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out $(MAINS) $(MODULE_SOURCES),$(wildcard src/*/*.c src/*/*/*.c)))
LIBRARY  := $(BUILD)/libapsp_internal.a
TESTS    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c tests/*/test_*.c))

# All that knows MPI; loaded when a launcher has started the program (src/comm/module.c). Not built where there is no MPI.
MODULE   := $(if $(shell command -v $(MPICC)),$(BUILD)/libapsp_mpi.so)

# Linked for allocations that fail where nothing can be preloaded: the sanitizers have their own.
FAULTY_MEMORY := $(addprefix $(BUILD)/tests/faults/,memory.o strike.o)
FAULTY_WRAPS  := $(foreach f,malloc calloc realloc aligned_alloc,-Wl,--wrap=$f)

all: $(PROGRAMS) $(MODULE)

-include gpu.mk
include library.mk
include python/python.mk
include completions.mk
include tests/fuzz/fuzz.mk
include packaging/packaging.mk
include tests/quality.mk
include tests/emulated/emulated.mk
include lab/lab.mk

$(BUILD)/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

MODULE_OBJECTS := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(MODULE_SOURCES))
$(MODULE_OBJECTS): $(BUILD)/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(MPICC) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

$(BUILD)/libapsp_mpi.so: $(MODULE_OBJECTS)
	$(MPICC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) $^ -o $@

$(LIBRARY): $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

.SECONDEXPANSION:
$(PROGRAMS): $(BUILD)/%: $(BUILD)/obj/cli/$$(subst -,_,%).o $(BUILD)/obj/cli/waiting.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) $(GOMP) -Wl,--as-needed -o $@

$(BUILD)/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests $(CFLAGS) -MMD -MP -c $< -o $@

$(TESTS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/tests/reference.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -lcmocka -o $@

# Those that start MPI themselves.
OWN_MPI := $(addprefix $(BUILD)/tests/,comm/test_adopt library/test_over sparse/test_many)
$(OWN_MPI) $(OWN_MPI:=.o): private CC := $(MPICC)
TESTS := $(if $(MODULE),$(TESTS),$(filter-out $(OWN_MPI),$(TESTS)))
TESTS := $(if $(METIS),$(TESTS),$(filter-out $(BUILD)/tests/sparse/%,$(TESTS)))

# METIS and processes with faults.
$(BUILD)/tests/sparse/test_dissect: private LDLIBS += -Wl,--wrap=METIS_NodeND,--wrap=fork

# Memory with no room for edges.
$(BUILD)/tests/job/test_reads: private LDLIBS += -Wl,--wrap=estimate_room

# Every allocation is counted, and the node has as much memory as the test says.
$(BUILD)/tests/job/test_estimate: private LDLIBS += $(foreach f,malloc calloc realloc aligned_alloc free mmap munmap mem_node_limit,-Wl,--wrap=$f)

# The command without METIS (tests/cli/order.sh).
NO_METIS := $(BUILD)/tests/apsp-no-metis
$(BUILD)/tests/no_metis.o: src/sparse/order.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -UAPSP_METIS $(CFLAGS) -MMD -MP -c $< -o $@
$(NO_METIS): $(BUILD)/obj/cli/apsp.o $(BUILD)/tests/no_metis.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# Preloaded: calls of the system that fail on request (tests/faults/faults.py).
FAULTS := $(BUILD)/tests/faults/interpose.so
$(FAULTS): $(addprefix tests/faults/,interpose.c strike.c strike.h) Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O1 -g -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow $(if $(WERROR),-Werror) -shared \
	  $(filter %.c,$^) -o $@

ifdef SAN
FAULTS := $(addprefix $(BUILD)/tests/faults/,$(notdir $(PROGRAMS)))
$(FAULTS): $(BUILD)/tests/faults/%: $(BUILD)/obj/cli/$$(subst -,_,%).o $(FAULTY_MEMORY) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $(FAULTY_WRAPS) $^ $(LDLIBS) -o $@
endif

# The command with one more engine, sink and source (tests/cli/house.sh).
HOUSE := $(BUILD)/tests/apsp-house
$(HOUSE): $(BUILD)/obj/cli/apsp.o $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/house/*.c)) \
  $(BUILD)/tests/graph/source_sequence.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/bench/sparse_steps.o: bench/sparse_steps.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/bench/sparse: bench/sparse.c $(BUILD)/bench/sparse_steps.o $(LIBRARY) Makefile
	$(CC) $(CPPFLAGS) -Ibench $(CFLAGS) $(LDFLAGS) $(filter-out Makefile,$^) $(LDLIBS) -o $@

$(BUILD)/bench/%: bench/%.c $(LIBRARY) Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $< $(LIBRARY) $(LDLIBS) -o $@

bench-scaling: all
	BUILD=$(BUILD) sh bench/scaling run $(SCALING)

bench-cpu: all $(BUILD)/bench/ceiling_cpu
	BUILD=$(BUILD) sh bench/cpu.sh

bench-certificate: all
	BUILD=$(BUILD) sh bench/certificate.sh

bench-paranoid: all $(BUILD)/bench/sums
	BUILD=$(BUILD) sh bench/paranoid.sh

bench-memory: all $(BUILD)/bench/peak
	BUILD=$(BUILD) sh bench/memory.sh

$(BUILD)/bench/start_mpi: bench/start_mpi.c Makefile
	@mkdir -p $(@D)
	$(MPICC) $(CFLAGS) $(LDFLAGS) $< -o $@

bench-start: all $(BUILD)/bench/start_mpi
	BUILD=$(BUILD) sh bench/start.sh

bench-shared: all
	BUILD=$(BUILD) sh bench/shared_machine.sh

bench-checkpoint: all
	BUILD=$(BUILD) sh bench/checkpoint.sh

bench-write: $(BUILD)/bench/write
	BUILD=$(BUILD) sh bench/write.sh

# Some of the tests, with small pieces (base/size.h).
SMALL_TESTS := $(addprefix $(BUILD)/small/tests/,comm/test_adopt dense/test_host dense/test_load dense/test_rounds distances/test_distances \
  graph/test_edges graph/test_list job/test_solve library/test_library rows/test_output rows/test_sources)
SMALL_BUILT := $(filter-out $(if $(MODULE),,%test_adopt),$(SMALL_TESTS)) $(if $(MODULE),$(BUILD)/small/libapsp_mpi.so)
small:
	$(MAKE) SMALL=1 GPU=none WERROR= CFLAGS="-O1 -g -Wno-format-truncation" BUILD=$(BUILD)/small $(SMALL_BUILT)

check: all small $(TESTS) $(FAULTS) $(HOUSE) $(NO_METIS) $(EXAMPLES) $(LIBRARY_FAULTS) $(LAB_CHECKED)
	BUILD=$(BUILD) sh tests/run.sh

check-asan:
	$(MAKE) SAN=1 BUILD=build/asan check

check-valgrind: all $(TESTS) $(EXAMPLES)
	BUILD=$(BUILD) sh tests/valgrind.sh

check-sparse: all $(BUILD)/tests/sparse/test_many
	BUILD=$(BUILD) sh tests/sparse/many.sh

# Every call of the system that fails (docs/testing.md); goes on where it was stopped.
check-faults: all $(FAULTS)
	BUILD=$(BUILD) python3 -B tests/faults/faults.py
	BUILD=$(BUILD) python3 -B tests/faults/faults.py --allocations

check-reals: $(BUILD)/tests/proof/test_reals
	REALS=100000 $<

check-signals: all
	BUILD=$(BUILD) SIGNALS=200 sh tests/cli/signals.sh
	BUILD=$(BUILD) STRIKES=200 sh tests/cli/resumed.sh

bench-sparse: all $(BUILD)/bench/sparse $(BUILD)/bench/ceiling_cpu
	BUILD=$(BUILD) sh bench/sparse.sh

bench-long: all
	BUILD=$(BUILD) sh bench/long.sh

bench-methods: all
	BUILD=$(BUILD) sh bench/methods.sh

bench-betweenness: all $(BUILD)/bench/betweenness
	BUILD=$(BUILD) sh bench/betweenness.sh

bench-peers: all $(BUILD)/bench/ceiling_cpu
	BUILD=$(BUILD) sh bench/peers.sh

bench-sparse-ranks: all
	BUILD=$(BUILD) sh bench/sparse_ranks.sh

# Preloaded: a rank that is late at MPI's start.
LATE := $(BUILD)/tests/cluster/late.so
$(LATE): tests/cluster/late.c Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O1 -g -fPIC -Wall -Wextra -Wshadow $(if $(WERROR),-Werror) -shared $< -o $@

check-cluster: all $(LATE)
	BUILD=$(BUILD) bash tests/cluster/check.sh

bench-cluster: all
	BUILD=$(BUILD) bash bench/exposed.sh

layers:
	sh tests/layers.sh

# The style of .clang-format, and functions of at most six parameters and four levels (.clang-tidy).
SOURCES = $(wildcard $(foreach e,c h cc cu cuh,$(foreach d,src/*/ src/*/*/ tests/ tests/*/ tests/emulated/include/ tests/emulated/include/hip/ bench/ include/ examples/ lab/ lab/*/,$d*.$e)))
style:
	clang-format --dry-run -Werror $(SOURCES)
	clang-tidy --quiet $(filter src/%.c,$(SOURCES)) -- $(CPPFLAGS) $(CFLAGS) $(shell $(MPICC) --showme:compile) 2>/dev/null

testcases/%.bin: | $(BUILD)/apsp-gen
	BUILD=$(BUILD) sh testcases/make.sh $* $@

clean:
	rm -rf $(BUILD)

.PHONY: all bench-betweenness bench-certificate bench-checkpoint bench-cluster bench-cpu bench-long bench-memory bench-methods bench-paranoid bench-peers bench-scaling bench-shared bench-sparse bench-sparse-ranks bench-start bench-write check check-asan check-cluster check-faults check-reals check-signals check-sparse check-valgrind clean layers small style
.DELETE_ON_ERROR:
.SECONDARY:

-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d $(BUILD)/tests/*.d $(BUILD)/tests/*/*.d)
