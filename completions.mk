# Completion for bash and zsh, which the programs print themselves, from their tables of options;
# included by the Makefile.

BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
COMPLETIONS := $(foreach p,$(notdir $(PROGRAMS)),$(BUILD)/completions/bash/$p \
  $(BUILD)/completions/zsh/_$p)

all: $(COMPLETIONS)

$(BUILD)/completions/bash/%: $(BUILD)/%
	@mkdir -p $(@D)
	$< --completion bash >$@

$(BUILD)/completions/zsh/_%: $(BUILD)/%
	@mkdir -p $(@D)
	$< --completion zsh >$@

install: install-completions
uninstall: uninstall-completions

install-completions: $(COMPLETIONS)
	install -d $(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR)
	install -m 644 $(filter $(BUILD)/completions/bash/%,$^) $(DESTDIR)$(BASHDIR)
	install -m 644 $(filter $(BUILD)/completions/zsh/%,$^) $(DESTDIR)$(ZSHDIR)

uninstall-completions:
	rm -f $(addprefix $(DESTDIR)$(BASHDIR)/,$(notdir $(PROGRAMS))) \
	  $(addprefix $(DESTDIR)$(ZSHDIR)/_,$(notdir $(PROGRAMS)))

.PHONY: install-completions uninstall uninstall-completions
