# The C library, shared and static, with the names of apsp.h alone, and the examples; included by
# the Makefile. Of the internal archive only what the public functions reach is linked in.

LIBDIR  ?= $(PREFIX)/lib
OBJCOPY ?= objcopy
VERSION := $(shell sed -n 's/^#define APSP_VERSION "\(.*\)"/\1/p' include/apsp.h)
# Before 1.0 programs are built again for each minor version.
SONAME  := libapsp.so.$(basename $(VERSION))
SHARED  := $(BUILD)/libapsp.so
STATIC  := $(BUILD)/libapsp.a
PUBLIC  := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(wildcard src/library/*.c))
EXAMPLES := $(patsubst examples/%.c,$(BUILD)/examples/%,$(filter-out \
  $(if $(MODULE),,examples/ranks.c),$(wildcard examples/*.c)))

all: $(SHARED) $(STATIC)

$(SHARED): $(PUBLIC) $(LIBRARY) src/library/apsp.map library.mk
	$(CC) -shared $(CFLAGS) $(LDFLAGS) -Wl,-soname,$(SONAME) \
	  -Wl,--version-script=src/library/apsp.map -Wl,--as-needed \
	  $(PUBLIC) $(LIBRARY) $(LDLIBS) -o $@
	ln -sf $(@F) $(BUILD)/$(SONAME)

$(STATIC): $(PUBLIC) $(LIBRARY) library.mk
	@rm -f $@
	$(LD) -r -d $(PUBLIC) $(LIBRARY) -o $(BUILD)/libapsp.o
	$(OBJCOPY) -w --keep-global-symbol="apsp_*" $(BUILD)/libapsp.o
	$(AR) rcs $@ $(BUILD)/libapsp.o

# Where it is installed is known then. Programs find the library in folders that the system does not
# look into.
LIBS_RPATH = $(if $(filter /usr/lib /usr/lib/% /usr/lib64,$(LIBDIR)),, -Wl,-rpath,$${libdir})
PKGCONFIG = printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' \
  'libdir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))' '' \
  'Name: apsp' 'Description: Exact all-pairs shortest paths' 'Version: $(VERSION)' \
  'Cflags: -I$${includedir}' \
  'Libs: -L$${libdir} -lapsp$(LIBS_RPATH)' 'Libs.private: -fopenmp $(LDLIBS)'

# As a user builds them, but for the path.
$(BUILD)/examples/%: examples/%.c $(SHARED)
	@mkdir -p $(@D)
	$(if $(filter ranks,$*),$(MPICC),$(CC)) -std=c11 -Wall -Wextra -Wpedantic -Werror \
	  $(if $(SAN),-fsanitize=address$(comma)undefined) -Iinclude $< \
	  -L$(BUILD) -lapsp -Wl,-rpath,'$$ORIGIN/..' -o $@

## make examples: the programs of examples/
examples: $(EXAMPLES)
.PHONY: examples
