# make [GPU=auto|cuda|hip|none] [ARCH=...] [BUILD=build] [SAN=1] [SMALL=1] [CC=gcc|clang]
#
#   GPU    the device: auto takes CUDA where nvcc is, then HIP where hipcc is, else none
#   ARCH   CUDA: numbers such as 90 or "80 90"; HIP: names such as gfx90a. Default: of this machine
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

# -fPIC for the shared library; with hidden symbols it costs no table look-ups. What is installed
# does not name this folder.
override CFLAGS += -std=c11 -D_GNU_SOURCE -fopenmp -fPIC -fvisibility=hidden \
  -ffile-prefix-map='$(CURDIR)'=. -Wall -Wextra -Wpedantic -Wshadow -Wvla $(if $(WERROR),-Werror)
override CPPFLAGS += -Iinclude -Isrc
LDLIBS := -lm -ldl
# cJSON statically where the archive is there, so that the program runs on machines without it.
CJSON := $(if $(shell $(CC) -print-file-name=libcjson.a | grep /),-l:libcjson.a,-lcjson)
LDLIBS += $(CJSON)
# METIS orders sparse graphs; without it the sparse engine takes orders from files alone.
METIS := $(if $(shell echo '\#include <metis.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes),\
  $(if $(shell $(CC) -print-file-name=libmetis.a | grep \
  /),-l:libmetis.a,$(if $(shell $(CC) -print-file-name=libmetis.so | grep /),-lmetis)))
ifneq ($(METIS),)
override CPPFLAGS += -DAPSP_METIS
LDLIBS += $(METIS)
else
$(info METIS is not there: this build makes no order for the sparse engine)
endif

# libgomp for the programs statically too: only so do they say how its threads wait
# (src/cli/waiting.c). Clang has another runtime.
GOMP := $(if $(shell $(CC) -dM -E -x c /dev/null | grep \
  __clang__),,$(if $(shell $(CC) -print-file-name=libgomp.a | grep /),-l:libgomp.a))

ifdef SAN
override CFLAGS += -DAPSP_CHECK_CALLS -fsanitize=address,undefined -fno-sanitize-recover=undefined \
  -fno-omit-frame-pointer
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
override CPPFLAGS += -DAPSP_SMALL -DAPSP_CHECK_CALLS
endif

# The sanitizers know nothing of a GPU's runtime.
ifeq ($(GPU),auto)
override GPU := $(if $(SAN),none,$(or $(if $(shell command -v nvcc),cuda),$(if $(shell command -v \
  hipcc),hip),none))
endif

MAINS    := $(wildcard src/cli/apsp*.c)
PROGRAMS := $(addprefix $(BUILD)/,$(subst _,-,$(patsubst src/cli/%.c,%,$(MAINS))))
MODULE_SOURCES := $(wildcard src/comm/mpi*.c)
OBJECTS  := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out $(MAINS) \
  $(MODULE_SOURCES),$(wildcard src/*/*.c src/*/*/*.c)))
LIBRARY  := $(BUILD)/libapsp_internal.a

# All that knows MPI; loaded when a launcher has started the program (src/comm/module.c). Not built
# where there is no MPI.
MODULE   := $(if $(shell command -v $(MPICC)),$(BUILD)/libapsp_mpi.so)

# Objects depend on this file. It holds the flags, and is written when they change. A change of the
# Makefile alone builds nothing again.
FLAGS_STAMP := $(BUILD)/flags

all: $(PROGRAMS) $(MODULE)

-include gpu.mk
include library.mk
include python/python.mk
include completions.mk
include tests/fuzz/fuzz.mk
include packaging/packaging.mk
include tests/emulated/emulated.mk
include lab/lab.mk
include tests/tests.mk
include tests/quality.mk
include bench/bench.mk

# Targets that build nothing leave the stamp as it is, and so do dry runs. An installation takes
# what was built.
FLAGS_NOW := $(CC) $(MPICC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(GPU_COMPILE)
BUILDS := $(filter-out help hooks layers messages style clean deb check-deb \
  $(if $(wildcard $(FLAGS_STAMP)),install%) uninstall%,$(or $(MAKECMDGOALS),all))
ifneq ($(and $(BUILDS),$(if $(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,yes)),)
ifneq ($(file <$(FLAGS_STAMP)),$(FLAGS_NOW))
$(shell mkdir -p $(BUILD))
$(file >$(FLAGS_STAMP),$(FLAGS_NOW))
endif
endif
$(FLAGS_STAMP): ;

$(BUILD)/obj/%.o: src/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

MODULE_OBJECTS := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(MODULE_SOURCES))
$(MODULE_OBJECTS): $(BUILD)/obj/%.o: src/%.c $(FLAGS_STAMP)
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

# Lines of the Makefiles that say `## TARGET: TEXT`.
help:
	@sed -nE 's/^## ([^:]*): (.*)/  \1\t\2/p' Makefile *.mk */*.mk tests/*/*.mk | awk -F'\t' \
	  '{ printf "%-34s %s\n", $$1, $$2 }'

## make: the programs and the libraries, in build/
## make GPU=cuda|hip|none: for that device; ARCH=90 or gfx90a names its kind
## make debug, make tsan: without optimisation in build/debug; with ThreadSanitizer in build/tsan
## make hooks: git runs .githooks/pre-commit before each commit
debug:
	$(MAKE) BUILD=$(BUILD)/debug CFLAGS="-O0 -g3 -DAPSP_CHECK_CALLS" all
# Neither runtime of OpenMP is instrumented: tests/races.sh leaves it out.
tsan:
	$(MAKE) GPU=none CC=clang BUILD=$(BUILD)/tsan CFLAGS="-O1 -g -fsanitize=thread" \
	  LDFLAGS=-fsanitize=thread all
hooks:
	git config core.hooksPath .githooks

# For clangd and other tools: the command that compiles each file.
compile-commands: $(BUILD)/compile_commands.json
$(BUILD)/compile_commands.json: $(FLAGS_STAMP)
	$(MAKE) -nB GPU=none all $(TESTS) | python3 tests/compile_commands.py >$@

## make layers, make style: includes go one way; formatter, clang-tidy and plain words
layers:
	sh tests/layers.sh

# The style of .clang-format; plain words; functions of at most six parameters and four levels
# (.clang-tidy).
SOURCES = $(wildcard $(foreach e,c h cc cu cuh,$(foreach d,src/*/ src/*/*/ tests/ tests/*/ \
  tests/emulated/include/ tests/emulated/include/hip/ bench/ include/ examples/ lab/ \
  lab/*/,$d*.$e)))
style: prose
	clang-format --dry-run -Werror $(SOURCES)
	python3 -B tests/mutants.py --check
	@echo clang-tidy: $(words $(TIDY_FILES)) files; echo $(TIDY_FILES) | xargs -P2 -n 16 sh -c \
	  'clang-tidy --quiet \
	  "$$@" -- $(TIDY_FLAGS) -Xclang -analyzer-config -Xclang mode=shallow,max-nodes=10000 \
	  2>/dev/null' sh
TIDY_FILES = $(filter src/%.c,$(SOURCES))
TIDY_FLAGS = $(CPPFLAGS) $(CFLAGS) $(shell $(MPICC) --showme:compile)

## make prose: the plain words alone, in seconds
prose:
	sh tests/prose.sh

## make messages: the list of all messages (docs/messages), anew; read what git diff shows
messages:
	python3 -B tests/messages.py --write docs/messages

# A long look, whose findings are shown and not counted; many say that NULL may be used after an
# error.
## make tidy FILES="src/...": all paths by the analyzer of clang-tidy, for some files or all
tidy:
	clang-tidy --quiet --checks=clang-analyzer-core.NullDereference --warnings-as-errors='-*' \
	  $(or $(FILES),$(TIDY_FILES)) -- $(TIDY_FLAGS) 2>/dev/null

testcases/%.bin: | $(BUILD)/apsp-gen
	BUILD=$(BUILD) sh testcases/make.sh $* $@

clean:
	rm -rf $(BUILD)

.PHONY: all clean compile-commands debug help hooks layers messages style prose tidy tsan
.DELETE_ON_ERROR:
.SECONDARY:

-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d)
