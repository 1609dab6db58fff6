# Fuzzing, with libFuzzer of Clang and the sanitizers: `make fuzz [SECONDS=60] [RUNS=N]` runs every
# harness for so long, or N executions if that is less, each from its seeds in tests/fuzz/seeds. A
# source of edges is a word in FUZZ_FORMATS; `any` finds the format by itself, and unpacks;
# `distances` is of all formats of these. `make check` runs what is in the seeds.

SECONDS      ?= 60
RUNS         ?= -1
FUZZ_FORMATS := edges32 gr mtx gml graphml gexf lgl pajek dicts json list table metis npz npy any
FUZZ_FLAGS   := -UAPSP_GPU -DAPSP_SMALL -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -O1 -g \
  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
  -fno-omit-frame-pointer
FUZZ_OBJECTS := $(patsubst src/%.c,$(BUILD)/fuzz/obj/%.o,$(filter-out \
  $(MODULE_SOURCES),$(wildcard src/base/*.c src/files/*.c src/comm/*.c src/graph/*.c)))

$(BUILD)/fuzz/obj/%.o: src/%.c $(FLAGS_STAMP) tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -fopenmp $(FUZZ_FLAGS) -MMD -MP -c $< -o $@

$(addprefix $(BUILD)/fuzz/,$(FUZZ_FORMATS)): $(BUILD)/fuzz/%: tests/fuzz/fuzz_source.c \
  $(FUZZ_OBJECTS)
	clang $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -fopenmp -DFUZZ_FORMAT=$(filter-out any,$*) \
	  $(FUZZ_FLAGS) -fsanitize=fuzzer $^ -lm -ldl -o $@

FUZZ_DISTANCES := $(FUZZ_OBJECTS) $(patsubst src/%.c,$(BUILD)/fuzz/obj/%.o,src/rows/sources.c \
  src/rows/convert.c $(wildcard src/distances/*.c src/proof/*.c))
$(BUILD)/fuzz/distances: tests/fuzz/fuzz_distances.c $(FUZZ_DISTANCES)
	clang $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -fopenmp $(FUZZ_FLAGS) -fsanitize=fuzzer $^ -lm -ldl -o $@

FUZZ_OTHERS := report orders options checkpoint pairs
FUZZ_REST   := $(patsubst src/%.c,$(BUILD)/fuzz/obj/%.o,$(filter-out $(MAINS) \
  $(MODULE_SOURCES),$(wildcard src/*/*.c src/*/*/*.c)))
$(BUILD)/fuzz/report: $(FUZZ_REST)
$(BUILD)/fuzz/orders: $(FUZZ_OBJECTS) $(BUILD)/fuzz/obj/sparse/order_file.o
$(BUILD)/fuzz/options: $(FUZZ_REST)
$(BUILD)/fuzz/checkpoint: $(FUZZ_OBJECTS) $(addprefix $(BUILD)/fuzz/obj/,engine/checkpoint.o \
  engine/checkpoint_files.o engine/checkpoint_matrix.o rows/output.o rows/matrix.o rows/npy.o)
$(BUILD)/fuzz/pairs: $(FUZZ_DISTANCES) $(addprefix $(BUILD)/fuzz/obj/,cli/ask.o cli/query.o \
  cli/subject.o rows/choose.o)
# Its notes go to the harness.
$(addprefix $(BUILD)/,fuzz/checkpoint tests/fuzz/replay-checkpoint): private LDLIBS += \
  -Wl,--wrap=standard_note
$(addprefix $(BUILD)/fuzz/,$(FUZZ_OTHERS)): $(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c
	clang $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -fopenmp $(FUZZ_FLAGS) -fsanitize=fuzzer $^ \
	  -Wl,--as-needed $(LDLIBS) -o $@

## make fuzz SECONDS=60: every reader under libFuzzer
FUZZ_ALL := $(FUZZ_FORMATS) distances $(FUZZ_OTHERS)
fuzz: $(addprefix $(BUILD)/fuzz/,$(FUZZ_ALL))
	BUILD=$(BUILD) FUZZ_SECONDS=$(SECONDS) FUZZ_RUNS=$(RUNS) sh tests/fuzz/run.sh $(FUZZ_ALL)
.PHONY: fuzz

# The seeds alone, without a fuzzer (tests/cli/corpus.sh).
REPLAYS := $(addprefix $(BUILD)/tests/fuzz/replay-,$(FUZZ_ALL))
$(REPLAYS): $(BUILD)/tests/fuzz/replay-%: tests/fuzz/replay.c $(wildcard tests/fuzz/fuzz_*.c) \
  $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -DFUZZ_FORMAT=$(filter-out any,$*) $< \
	  $(if $(filter $*,$(FUZZ_FORMATS)),tests/fuzz/fuzz_source.c,tests/fuzz/fuzz_$*.c) $(LIBRARY) \
	  $(LDLIBS) -o $@
replays: $(REPLAYS)
.PHONY: replays

-include $(wildcard $(BUILD)/fuzz/obj/*/*.d)
