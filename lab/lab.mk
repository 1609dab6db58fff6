# The experiments: build/lab/NAME of lab/NAME/ and of what they share; included by the Makefile.

LAB := $(patsubst lab/%/,%,$(wildcard lab/*/))
LAB_PROGRAMS := $(addprefix $(BUILD)/lab/,$(LAB))
lab_of = $(patsubst lab/%.c,$(BUILD)/lab/obj/%.o,$(wildcard lab/$1*.c)) \
  $(if $(filter cuda hip,$(GPU)),$(patsubst lab/%.cu,$(BUILD)/lab/obj/%.gpu.o,$(wildcard \
  lab/$1*.cu)))
LAB_CEILING := $(if $(filter cuda hip,$(GPU)),$(BUILD)/bench/ceiling_gpu.o)

# BLAS, where it is: OpenBLAS or another with its C interface; the GPU's own.
BLAS_NAME := $(firstword $(foreach p,openblas cblas \
  blas,$(if $(shell pkg-config --exists $p 2>/dev/null && echo yes),$p)))
BLAS_LIBS := $(if $(BLAS_NAME),$(shell pkg-config --libs $(BLAS_NAME)))
LAB_CPPFLAGS := -Ilab -Ibench $(if $(BLAS_NAME),-DLAB_BLAS='"$(BLAS_NAME)"' \
  $(shell pkg-config --cflags $(BLAS_NAME)))
ifeq ($(GPU),cuda)
LAB_CPPFLAGS += $(if $(wildcard $(CUDA)/include/cublas_v2.h),-DLAB_GPU_BLAS)
LAB_GPU_LIBS := $(if $(wildcard $(CUDA)/include/cublas_v2.h),-lcublas)
endif
ifeq ($(GPU),hip)
LAB_CPPFLAGS += $(if $(wildcard $(ROCM_PATH)/include/hipblas/hipblas.h \
  /usr/include/hipblas/hipblas.h),-DLAB_GPU_BLAS)
LAB_GPU_LIBS := $(if $(findstring LAB_GPU_BLAS,$(LAB_CPPFLAGS)),-lhipblas)
endif

$(BUILD)/lab/obj/%.o: lab/%.c $(FLAGS_STAMP) lab/lab.mk
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(LAB_CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/lab/obj/%.gpu.o: lab/%.cu $(FLAGS_STAMP) lab/lab.mk $(GPU_STAMP)
	@mkdir -p $(@D)
	$(GPU_COMPILE) $(CPPFLAGS) $(LAB_CPPFLAGS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

# What they share, of which each takes what it uses.
LAB_SHARED := $(BUILD)/lab/shared.a
$(LAB_SHARED): $(call lab_of,) $(LAB_CEILING)
	@rm -f $@
	$(AR) rcs $@ $^

.SECONDEXPANSION:
$(LAB_PROGRAMS): $(BUILD)/lab/%: $$(call lab_of,$$*/) $(LAB_SHARED) $(PUBLIC) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -Wl,--as-needed $(BLAS_LIBS) $(LAB_GPU_LIBS) -o $@

# An experiment with a wrong step (tests/lab/lab.sh).
LAB_WRONG := $(BUILD)/tests/lab/wrong
$(BUILD)/tests/lab/wrong.o: private override CPPFLAGS += -Ilab
$(LAB_WRONG): $(BUILD)/tests/lab/wrong.o $(LAB_SHARED) $(PUBLIC) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# What make check looks at; for a GPU they take minutes to build.
LAB_CHECKED := $(if $(filter none,$(GPU)),$(LAB_PROGRAMS) $(LAB_WRONG))

lab-programs: $(LAB_PROGRAMS) $(BUILD)/bench/ceiling_cpu

## make lab: the experiments of docs/lab.md
# All that this machine can, and the page; FULL=1: n from 5000 on, and medians of 5.
lab: all lab-programs
	BUILD=$(BUILD) sh lab/run.sh $(if $(FULL),--full)

.PHONY: lab lab-programs
-include $(wildcard $(BUILD)/lab/obj/*.d $(BUILD)/lab/obj/*/*.d)
