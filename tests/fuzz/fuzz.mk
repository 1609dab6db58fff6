# Fuzzing, with libFuzzer of Clang and the sanitizers: `make fuzz [SECONDS=60] [RUNS=N]` runs every harness for so long, or N
# executions if that is less, each from its seeds in tests/fuzz/seeds. A source of edges is a word in FUZZ_FORMATS; `any`
# finds the format by itself, and unpacks; `distances` is of all formats of these.

SECONDS      ?= 60
RUNS         ?= -1
FUZZ_FORMATS := edges32 gr mtx gml graphml list metis npz npy any
FUZZ_FLAGS   := -DAPSP_SMALL -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_OBJECTS := $(patsubst src/%.c,$(BUILD)/fuzz/obj/%.o,$(filter-out $(MODULE_SOURCES),$(wildcard src/base/*.c src/comm/*.c src/graph/*.c)))

$(BUILD)/fuzz/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -fopenmp $(FUZZ_FLAGS) -MMD -MP -c $< -o $@

$(addprefix $(BUILD)/fuzz/,$(FUZZ_FORMATS)): $(BUILD)/fuzz/%: tests/fuzz/fuzz_source.c $(FUZZ_OBJECTS)
	clang $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -fopenmp -DFUZZ_FORMAT=$(filter-out any,$*) $(FUZZ_FLAGS) -fsanitize=fuzzer $^ -lm -ldl -o $@

FUZZ_DISTANCES := $(FUZZ_OBJECTS) $(patsubst src/%.c,$(BUILD)/fuzz/obj/%.o,src/rows/sources.c $(wildcard src/distances/*.c))
$(BUILD)/fuzz/distances: tests/fuzz/fuzz_distances.c $(FUZZ_DISTANCES)
	clang $(CPPFLAGS) -std=c11 -D_GNU_SOURCE -fopenmp $(FUZZ_FLAGS) -fsanitize=fuzzer $^ -lm -ldl -o $@

fuzz: $(addprefix $(BUILD)/fuzz/,$(FUZZ_FORMATS) distances)
	BUILD=$(BUILD) FUZZ_SECONDS=$(SECONDS) FUZZ_RUNS=$(RUNS) sh tests/fuzz/run.sh $(FUZZ_FORMATS) distances
.PHONY: fuzz

-include $(wildcard $(BUILD)/fuzz/obj/*/*.d)
