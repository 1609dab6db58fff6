# What `make install` puts where, `make uninstall`, and packages; included by the Makefile.
# docs/packages.md describes them.
#
#   PREFIX, LIBDIR, DESTDIR   as GNU's standards have them; LIBDIR is PREFIX/lib unless it is given

# Where programs in PREFIX/bin and libraries below PREFIX/lib* find the module of MPI
# (src/comm/module.c).
PLUGINS     := $(PREFIX)/lib/apsp
MANDIR      := $(PREFIX)/share/man
MODULEFILES := $(PREFIX)/share/modulefiles/apsp
MAN_PAGES   := $(wildcard docs/man/*.[135])

# All of it, with or without MPI.
INSTALLED = $(addprefix $(PREFIX)/bin/,$(notdir $(PROGRAMS))) \
  $(addprefix $(PREFIX)/include/,apsp.h apsp_mpi.h) \
  $(addprefix $(LIBDIR)/,$(notdir $(STATIC)) libapsp.so $(SONAME) libapsp.so.$(VERSION) \
  pkgconfig/apsp.pc cmake/apsp/apspConfig.cmake cmake/apsp/apspConfigVersion.cmake) \
  $(PREFIX)/share/apsp/valgrind.supp $(PLUGINS)/libapsp_mpi.so \
  $(foreach page,$(MAN_PAGES),$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
  $(MODULEFILES)/$(VERSION)

# Where it is installed, into a template.
AT = sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|' \
  -e 's|@VERSION@|$(VERSION)|; s|@SONAME@|$(SONAME)|'

## make install, uninstall: PREFIX=/usr/local, DESTDIR=
install: all
	install -d $(sort $(dir $(addprefix $(DESTDIR),$(INSTALLED))))
	install -m 755 $(PROGRAMS) $(DESTDIR)$(PREFIX)/bin
	install -m 644 include/apsp.h include/apsp_mpi.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(STATIC) $(DESTDIR)$(LIBDIR)
	install -m 755 $(SHARED) $(DESTDIR)$(LIBDIR)/libapsp.so.$(VERSION)
	ln -sf libapsp.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libapsp.so
	$(PKGCONFIG) >$(DESTDIR)$(LIBDIR)/pkgconfig/apsp.pc
	for file in apspConfig apspConfigVersion; do $(AT) packaging/cmake/$$file.cmake \
	  >$(DESTDIR)$(LIBDIR)/cmake/apsp/$$file.cmake || exit; done
	install -m 644 packaging/valgrind.supp $(DESTDIR)$(PREFIX)/share/apsp
	$(if $(MODULE),install -m 755 $(MODULE) $(DESTDIR)$(PLUGINS))
	for page in $(MAN_PAGES); do $(AT) $$page >$(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/} || \
	  exit; done
	$(AT) packaging/modulefiles/apsp >$(DESTDIR)$(MODULEFILES)/$(VERSION)

uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	for folder in $(addprefix $(DESTDIR),$(MODULEFILES) $(PLUGINS) $(LIBDIR)/cmake/apsp \
	  $(PREFIX)/share/apsp); do [ ! -d $$folder ] || rmdir --ignore-fail-on-non-empty $$folder; done

# Debian's packages, in build/deb, from a copy of this tree without what was built in it, and
# whatever the environment has; for GPUs with DEB_GPU=cuda and ARCH.
DEB     := $(BUILD)/deb
DEB_GPU ?= none
deb:
	rm -rf $(DEB)
	mkdir -p $(DEB)/apsp-$(VERSION)
	tar -cf - --exclude-vcs --exclude=./build --exclude='./$(BUILD)' --exclude='./testcases/*.bin' \
	  --exclude='./testcases/*.gr' . | \
	  tar -xf - -C $(DEB)/apsp-$(VERSION)
	cd $(DEB)/apsp-$(VERSION) && env -i PATH="$$PATH" HOME="$$HOME" LC_ALL=C.UTF-8 GPU='$(DEB_GPU)' \
	  ARCH='$(ARCH)' dpkg-buildpackage -b -us -uc
	rm -rf $(DEB)/apsp-$(VERSION)

check-deb:
	BUILD=$(BUILD) sh tests/deb.sh

check-bare:
	BUILD=$(BUILD) sh tests/bare.sh

## make recipes: the archive of the sources, and recipes of other packagers, in build/recipes
RECIPES  := $(BUILD)/recipes
RELEASES ?= file://$(abspath $(RECIPES))
HOMEPAGE ?= https://apsp.invalid
recipes:
	RELEASES='$(RELEASES)' HOMEPAGE='$(HOMEPAGE)' sh packaging/recipes.sh $(RECIPES) $(VERSION)

## make check-recipes: each recipe by its packager's own checker, where that is there
check-recipes: recipes
	BUILD=$(BUILD) sh tests/recipes.sh

## make release-check: what has to hold before a release; its files in build/release; half an hour
release-check: all
	BUILD=$(BUILD) sh packaging/release.sh

## make site: the documents in build/site/html; needs mkdocs-material, mkdocstrings[python], mandoc
site:
	NO_MKDOCS_2_WARNING=1 $(PYTHON) docs/site/site.py $(BUILD)/site

.PHONY: site release-check recipes check-recipes install uninstall deb check-deb check-bare
