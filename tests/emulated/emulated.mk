# The GPU's code run where there is no GPU: CUDA's build and HIP's over an emulated runtime;
# included by the Makefile.

EMULATED          := $(BUILD)/emulated
EMULATED_COMPILER := $(CURDIR)/tests/emulated/compiler
CLANGXX           ?= clang++
EMULATED_cuda     := GPU=cuda NVCC=$(EMULATED_COMPILER) ARCH=90 PTX=
EMULATED_hip      := GPU=hip HIPCC=$(EMULATED_COMPILER) ARCH=emulated
EMULATED_hip32    := GPU=hip HIPCC="$(EMULATED_COMPILER) -DEMULATED_LANES=32" ARCH=emulated
# Stores are seen late, and few rows of a walk are near (weak.sh).
WEAK              := -fsanitize=thread -Xcompiler -mllvm,-tsan-instrument-atomics=0 \
  -DEMULATED_SHARED=36864
EMULATED_weak     := GPU=hip HIPCC="$(EMULATED_COMPILER) $(WEAK)" ARCH=emulated

$(EMULATED)/runtime-cuda.o: RUNTIME := <cuda_runtime.h>
$(addprefix $(EMULATED)/runtime-,hip.o hip32.o weak.o): RUNTIME := <hip/hip_runtime.h>
$(EMULATED)/runtime-hip32.o: SHAPE := -DEMULATED_LANES=32
$(EMULATED)/runtime-weak.o: SHAPE := -DEMULATED_SHARED=36864
$(EMULATED)/runtime-%.o: tests/emulated/runtime.cc tests/emulated/compiler \
  $(wildcard tests/emulated/*.h tests/emulated/include/*.h tests/emulated/include/*/*.h)
	@mkdir -p $(@D)
	$(CLANGXX) -std=c++20 -O2 -g -fPIC -Wall -Wextra $(if $(WERROR),-Werror) -Itests/emulated/include \
	  $(SHAPE) '-DEMULATED_RUNTIME=$(RUNTIME)' -c $< -o $@

EMULATED_ALL := emulated-cuda emulated-hip emulated-hip32
$(EMULATED_ALL) emulated-weak: emulated-%: $(EMULATED)/runtime-%.o
	$(MAKE) $(EMULATED_$*) BUILD=$(EMULATED)/$* GPU_RUNTIME=$(abspath $<) \
	  GPU_LIBS="-lstdc++ -lpthread" gpu-tests

## make check-emulated: the GPU tests on GPUs emulated on the processor
check-emulated: emulated-cuda emulated-hip
	EMULATED=$(EMULATED) sh tests/emulated/check.sh

## make check-emulated-32: the same with HIP's wavefronts of 32 lanes
check-emulated-32: emulated-hip32
	EMULATED=$(EMULATED) sh tests/emulated/check.sh 32

## make check-weak: the walks of the sparse engine by 1,000 seeds where waves see stores late
check-weak: emulated-weak
	BUILD=$(EMULATED)/weak sh tests/emulated/weak.sh

.PHONY: $(EMULATED_ALL) emulated-weak check-emulated check-emulated-32 check-weak
