# The part of the build that needs a GPU compiler; included by the Makefile. GPU is cuda, hip or
# none here.
#
#   ARCH   CUDA: "90", or several such as "80 90"; default: of this machine's GPUs, else 90 and PTX
#          HIP: names such as "gfx90a gfx942"; default: of this machine's GPUs, else HIP_ARCHES
#          that the compiler and its device libraries take
#   PTX    CUDA: a number such as 120: code that the driver compiles for GPUs newer than all of ARCH

comma := ,
NVCC  ?= nvcc
HIPCC ?= hipcc

ifneq ($(filter cuda hip,$(GPU)),)
GPU_OBJECTS := $(patsubst src/%.cu,$(BUILD)/obj/%.o,$(wildcard src/*/*.cu src/*/*/*.cu))
OBJECTS += $(GPU_OBJECTS) $(GPU_RUNTIME) # tests/emulated/ has one of its own
$(GPU_OBJECTS): $(GPU_RUNTIME)
override CPPFLAGS += -DAPSP_GPU
endif

ifeq ($(GPU),cuda)
ifndef ARCH
ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep \
  -E '^[0-9.]+$$' | tr -d . | sort -u)
endif
ifeq ($(strip $(ARCH)),)
override ARCH := 90
PTX ?= 90
endif
CUDA := $(patsubst %/bin/,%,$(dir $(shell readlink -f "$$(command -v $(NVCC))")))
GPU_COMPILE := $(NVCC) -std=c++20 -O3 -D_GNU_SOURCE \
  $(foreach a,$(ARCH),-gencode arch=compute_$a,code=sm_$a) \
  $(if $(PTX),-gencode arch=compute_$(PTX)$(comma)code=compute_$(PTX)) \
  -Xcompiler -fopenmp,-fPIC,-fvisibility=hidden,-Wall,-Wextra \
  $(if $(WERROR),-Werror all-warnings -Xcompiler -Werror)
GPU_LIBS := -L$(CUDA)/lib64 -L$(CUDA)/lib -l:libcudart_static.a -lstdc++ -ldl -lrt -lpthread
endif

ifeq ($(GPU),hip)
HIP_ARCHES := gfx90a gfx942 gfx1100 gfx1201
hip_takes = $(shell $(HIPCC) -x hip --offload-arch=$1 --cuda-device-only -S /dev/null -o /dev/null \
  >/dev/null 2>&1 && echo $1)
ifndef ARCH
ARCH := $(filter-out gfx000,$(sort $(shell { rocm_agent_enumerator || offload-arch; } 2>/dev/null)))
endif
ifeq ($(strip $(ARCH)),)
override ARCH := $(foreach a,$(HIP_ARCHES),$(call hip_takes,$a))
endif
override CPPFLAGS += -DAPSP_HIP
ROCM_PATH ?= $(wildcard /opt/rocm)
GPU_COMPILE := $(HIPCC) -x hip -std=c++20 -O3 -D_GNU_SOURCE -fPIC -fvisibility=hidden \
  $(foreach a,$(ARCH),--offload-arch=$a) -Wall -Wextra -Wno-unused-command-line-argument \
  $(if $(WERROR),-Werror)
# Files without kernels: hipcc would want their tables on the device too.
$(addprefix $(BUILD)/obj/,kernels/gpu/device.o \
  $(addprefix dense/,backend_gpu.o backend_gpu_memory.o backend_gpu_fetch.o transport_peer.o) \
  $(addprefix sparse/gpu/,expander.o memory.o) \
  $(addprefix sssp/gpu/,searcher.o memory.o shape.o)): GPU_COMPILE += --cuda-host-only
GPU_LIBS := $(if $(ROCM_PATH),-L$(ROCM_PATH)/lib -Wl$(comma)-rpath$(comma)$(ROCM_PATH)/lib) \
  -lamdhip64 -lstdc++
endif
LDLIBS += $(GPU_LIBS)

# What was built for another device is built again.
GPU_STAMP := $(BUILD)/gpu-choice
GPU_CHOICE := $(strip $(GPU) $(ARCH) $(PTX:%=ptx%))
ifneq ($(filter-out layers style clean uninstall deb check-deb,$(or $(MAKECMDGOALS),all)),)
ifneq ($(shell cat $(GPU_STAMP) 2>/dev/null),$(GPU_CHOICE))
$(shell mkdir -p $(BUILD) && echo '$(GPU_CHOICE)' >$(GPU_STAMP))
endif
endif
$(OBJECTS): $(GPU_STAMP)

$(BUILD)/obj/%.o: src/%.cu $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(GPU_COMPILE) $(CPPFLAGS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

# Neither needs MPI or cmocka.
GPU_TEST  := $(BUILD)/tests/gpu/kernels
GPU_BENCH := $(BUILD)/bench/gpu
$(BUILD)/tests/gpu/%.o: tests/gpu/%.cu $(GPU_STAMP)
	@mkdir -p $(@D)
	$(GPU_COMPILE) $(CPPFLAGS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

$(BUILD)/bench/%.o: bench/%.cu $(GPU_STAMP)
	@mkdir -p $(@D)
	$(GPU_COMPILE) $(CPPFLAGS) -Ibench -MMD -MP -MF $(@:.o=.d) -c $< -o $@

$(GPU_TEST): $(BUILD)/tests/gpu/kernels.o
$(GPU_BENCH): $(BUILD)/bench/gpu.o $(BUILD)/bench/ceiling_gpu.o
$(GPU_TEST) $(GPU_BENCH): $(LIBRARY)
	$(CC) -fopenmp $(LDFLAGS) $(filter %.o,$^) $(LIBRARY) $(GPU_LIBS) -lm -o $@

GPU_SPARSE := $(BUILD)/bench/sparse_gpu
$(GPU_SPARSE): $(BUILD)/bench/sparse_gpu.o $(BUILD)/bench/sparse_steps.o \
  $(BUILD)/bench/ceiling_gpu.o $(LIBRARY)
	$(CC) -fopenmp $(LDFLAGS) $^ $(LDLIBS) -o $@

# Rows that stay on the device, beside a fill.
GPU_BLOCKS := $(BUILD)/bench/blocks_gpu
$(GPU_BLOCKS): $(BUILD)/bench/blocks_gpu.o $(LIBRARY)
	$(CC) -fopenmp $(LDFLAGS) $^ $(LDLIBS) $(GPU_LIBS) -o $@

# What whole runs are measured against.
GPU_WHOLE := $(BUILD)/bench/whole_gpu
$(GPU_WHOLE): bench/whole_gpu.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# Needs both, and METIS.
CMOCKA := $(filter /%,$(shell $(CC) -print-file-name=libcmocka.so))
GPU_MANY := $(if $(and $(MODULE),$(METIS),$(CMOCKA)),$(BUILD)/tests/sparse/test_many)

# The command whose walks go in step (tests/gpu/run.sh).
GPU_LOCKSTEP := $(BUILD)/tests/gpu/apsp-lockstep
$(BUILD)/tests/gpu/lockstep.o: src/sparse/gpu/launch.cu $(FLAGS_STAMP) $(GPU_STAMP)
	@mkdir -p $(@D)
	$(GPU_COMPILE) $(CPPFLAGS) -DAPSP_LOCKSTEP -MMD -MP -MF $(@:.o=.d) -c $< -o $@
$(GPU_LOCKSTEP): $(BUILD)/obj/cli/apsp.o $(BUILD)/tests/gpu/lockstep.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# The command whose calls of the GPU's runtime fail on request (tests/gpu/faults.sh). Launches are
# not among them: what has become of one is asked afterwards, by a call that is.
GPU_FAULTS := $(BUILD)/tests/gpu/apsp-faults
$(BUILD)/tests/gpu/gpu_calls.h: $(GPU_OBJECTS)
	@mkdir -p $(@D)
	nm -u $^ | sed -nE 's/^ *U ((cuda|hip)[A-Z][A-Za-z0-9_]*)$$/CALL(\1)/p' | grep -vE \
	  'GetErrorString|Launch|CallConfiguration' | sort -u >$@
$(BUILD)/tests/gpu/gpu_wraps: $(BUILD)/tests/gpu/gpu_calls.h
	sed -E 's/CALL\((.*)\)/--wrap=\1/' $< >$@
$(GPU_FAULTS): $(BUILD)/obj/cli/apsp.o tests/faults/gpu.c tests/faults/strike.c \
  $(BUILD)/tests/gpu/gpu_wraps $(LIBRARY)
	$(CC) -D_GNU_SOURCE -I$(BUILD)/tests/gpu -Itests/faults $(CFLAGS) $(LDFLAGS) -Wno-pedantic \
	  -Wl,@$(BUILD)/tests/gpu/gpu_wraps \
	  $(filter-out %/gpu_wraps,$^) $(LDLIBS) -o $@

# Many small graphs on a GPU and on cores in one process (tests/gpu/sssp.sh).
GPU_EQUAL := $(BUILD)/tests/gpu/equal_cores
$(GPU_EQUAL): $(BUILD)/tests/gpu/equal_cores.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# Without a GPU in its plan, betweenness uses none (tests/gpu/betweenness.sh).
GPU_PLAN := $(if $(CMOCKA),$(BUILD)/tests/rows/test_betweenness)

# A machine with a GPU may lack cJSON, METIS and cmocka, which not every system has as archives.
GPU_CARRY := $(patsubst %,$(BUILD)/lib/%,$(if $(filter -lcjson,$(CJSON)),libcjson.so.1) \
  $(if $(filter -lmetis,$(METIS)),libmetis.so.5) \
  $(if $(CMOCKA),libcmocka.so.0))
$(GPU_CARRY):
	@mkdir -p $(@D)
	cp -L "$$($(CC) -print-file-name=$(@F))" $@

gpu-tests: all $(GPU_TEST) $(GPU_EQUAL) $(GPU_FAULTS) $(GPU_MANY) $(GPU_PLAN) \
  $(if $(MODULE),$(BUILD)/tests/sequences/sequences)

gpu-programs: gpu-tests $(GPU_LOCKSTEP) $(GPU_BENCH) $(if $(METIS),$(GPU_SPARSE)) $(GPU_WHOLE) \
  $(GPU_BLOCKS) $(GPU_CARRY)

## make check-gpu, bench-gpu: on a machine with a GPU
check-gpu: gpu-programs
	BUILD=$(BUILD) sh tests/gpu/run.sh
	BUILD=$(BUILD) sh tests/gpu/sssp.sh
	BUILD=$(BUILD) sh tests/gpu/algebras.sh
	BUILD=$(BUILD) sh tests/gpu/betweenness.sh
	BUILD=$(BUILD) sh tests/gpu/access.sh
	BUILD=$(BUILD) sh tests/gpu/several.sh
	BUILD=$(BUILD) sh tests/gpu/faults.sh
	LD_LIBRARY_PATH="$(BUILD)/lib:$$LD_LIBRARY_PATH" BUILD=$(BUILD) SEQUENCES_DEVICE=gpu sh \
	  tests/library/sequences.sh

bench-gpu: gpu-programs
	$(GPU_BENCH)
	BUILD=$(BUILD) sh bench/gpu_whole.sh

# Several GPUs beside one: BENCH_GPUS="4 dense", GPUs and parts.
bench-gpus: gpu-programs
	BUILD=$(BUILD) sh bench/gpus.sh $(BENCH_GPUS)

# For all GPUs of NVIDIA that this program knows, and those to come.
release:
	$(MAKE) GPU=cuda ARCH="75 80 86 89 90 100 120" PTX=120 BUILD=$(BUILD)/release all

.PHONY: gpu-tests gpu-programs check-gpu bench-gpu bench-gpus release
-include $(wildcard $(BUILD)/tests/gpu/*.d $(BUILD)/bench/*.d)
