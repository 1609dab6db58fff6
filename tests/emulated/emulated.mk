# The GPU's code run where there is no GPU: CUDA's build and HIP's over an emulated runtime; included by the Makefile.

EMULATED          := $(BUILD)/emulated
EMULATED_COMPILER := $(CURDIR)/tests/emulated/compiler
CLANGXX           ?= clang++
EMULATED_cuda     := GPU=cuda NVCC=$(EMULATED_COMPILER) ARCH=90 PTX=
EMULATED_hip      := GPU=hip HIPCC=$(EMULATED_COMPILER) ARCH=emulated

$(EMULATED)/runtime-cuda.o: RUNTIME := <cuda_runtime.h>
$(EMULATED)/runtime-hip.o: RUNTIME := <hip/hip_runtime.h>
$(EMULATED)/runtime-%.o: tests/emulated/runtime.cc tests/emulated/compiler $(wildcard tests/emulated/*.h tests/emulated/include/*.h tests/emulated/include/*/*.h)
	@mkdir -p $(@D)
	$(CLANGXX) -std=c++20 -O2 -g -fPIC -Wall -Wextra $(if $(WERROR),-Werror) -Itests/emulated/include '-DEMULATED_RUNTIME=$(RUNTIME)' -c $< -o $@

emulated-cuda emulated-hip: emulated-%: $(EMULATED)/runtime-%.o
	$(MAKE) $(EMULATED_$*) BUILD=$(EMULATED)/$* GPU_RUNTIME=$(abspath $<) GPU_LIBS="-lstdc++ -lpthread" gpu-tests

## make check-emulated: the GPU tests on GPUs emulated on the processor
check-emulated: emulated-cuda emulated-hip
	EMULATED=$(EMULATED) sh tests/emulated/check.sh

.PHONY: emulated-cuda emulated-hip check-emulated
