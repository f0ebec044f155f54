# SPDX-License-Identifier: MIT
#
# The whole build of loam, in one file. `make` builds with what is installed and touches no network;
# `make demo`, `make test` and `make cross` first install missing Debian packages (deploy/deps.sh).
# Everything lands in BUILD. Sources are found by folder: a new .c file needs no line here.
#
#   core/*/*.c                  lib/libloam.a         ISO C, libc only
#   api/{wire,key,view}/*.c     lib/libloam_api.a     documents, hashing, views
#   api/client/*.c              lib/libloam_client.a  libcurl, here only
#   api/cli/*.c                 bin/loam
#   server/*.c server/*/*.c     bin/loamd             (all but main.c is lib/libloamd.a, for tests)
#   api/examples/*.c            example/NAME          each links libloam.a alone
#   tests/unit/ROOM/...         test/unit_ROOM        Criterion; one program per room
#   tests/http tests/flow tests/golden (test_*.c)     Criterion; one program per folder
#   tests/thread/*.c tests/bench/*.c                  programs of their own
#   tests/support/*.c           linked into all of these
#
# Flags stand in files under BUILD/flags that change only when their text does; objects depend on
# them, so another compiler or flag rebuilds what it must and nothing is mixed.

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
AR      ?= ar
CFLAGS  ?=
LDFLAGS ?=
V       ?= 0
Q       := $(if $(filter 0,$(V)),@)
# `make test ONLY="unit_space http"` runs these programs and no other.
ONLY    ?=

VERSION = $(shell sed -n 's/^.define LOAM_VERSION_TEXT "\(.*\)"/\1/p' core/loam.h)
MACHINE := $(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: FORCE

# ---- Flags ---------------------------------------------------------------------------------------

# Rule 1 of determinism: the same bytes from every build. Never -Ofast, -march=native or contraction.
EXACT    := -std=c17 -O3 -ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Werror
COMMON   := $(EXACT) $(WARNINGS) -g -fPIC -I.

LEVELS := baseline
ifneq ($(filter x86_64-%,$(MACHINE)-),)
LEVELS := baseline avx2 avx512
HAVE_LEVELS := -DLOAM_HAVE_X86_LEVELS=1
endif
FLAGS_baseline :=
FLAGS_avx2     := -mavx2
FLAGS_avx512   := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512

# pkg-config is asked when a rule that needs the answer runs, not when this file is read.
API_PACKAGES    := jansson nettle libpng zlib libzstd
CLIENT_PACKAGES := libcurl
SERVER_PACKAGES := libmicrohttpd libuv sqlite3
TEST_PACKAGES   := criterion

CFLAGS_core    := $(HAVE_LEVELS)
CFLAGS_api     := -D_GNU_SOURCE
CFLAGS_client  := -D_GNU_SOURCE
CFLAGS_server  := -D_GNU_SOURCE
CFLAGS_test    := -D_GNU_SOURCE
PACKAGES_core    :=
PACKAGES_api     := $(API_PACKAGES)
PACKAGES_client  := $(API_PACKAGES) $(CLIENT_PACKAGES)
PACKAGES_server  := $(API_PACKAGES) $(SERVER_PACKAGES)
PACKAGES_test    := $(API_PACKAGES) $(CLIENT_PACKAGES) $(SERVER_PACKAGES) $(TEST_PACKAGES)

# Builds beside the one that ships: NAME, folder below BUILD, extra flags.
SANITIZE_plain :=
SANITIZE_asan  := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
SANITIZE_tsan  := -O1 -fno-omit-frame-pointer -fsanitize=thread

# ---- Sources -------------------------------------------------------------------------------------

KERNELS  := $(wildcard core/*/*_kernel.c)
CORE     := $(filter-out $(KERNELS),$(wildcard core/*/*.c))
API      := $(wildcard api/wire/*.c api/key/*.c api/view/*.c)
CLIENT   := $(wildcard api/client/*.c)
CLI      := $(wildcard api/cli/*.c)
SERVER   := $(filter-out server/main.c,$(wildcard server/*.c server/*/*.c))
MAIN     := $(wildcard server/main.c)
SUPPORT  := $(wildcard tests/support/*.c)
EXAMPLES := $(wildcard api/examples/*.c)
BENCHES  := $(wildcard tests/bench/*.c)
THREADS  := $(wildcard tests/thread/*.c)
# Files that a program carries in it: bytes, separated by commas, to #include in an initialiser as
# "migrations/control/0001_NAME.sql.inc".
EMBEDDED := $(wildcard migrations/*/*.sql api/openapi.yaml)

UNIT_ROOMS  := $(patsubst tests/unit/%/,%,$(sort $(dir $(wildcard tests/unit/*/test_*.c \
                 tests/unit/*/*/test_*.c tests/unit/*/*/*/test_*.c))))
UNIT_TOPS   := $(sort $(foreach room,$(UNIT_ROOMS),$(firstword $(subst /, ,$(room)))))
UNIT_GROUPS := $(addprefix unit_,$(UNIT_TOPS))
GROUPS      := $(UNIT_GROUPS) $(foreach top,http flow golden,\
                 $(if $(wildcard tests/$(top)/test_*.c tests/$(top)/*/test_*.c),$(top)))
GROUPS      := $(strip $(GROUPS))

unit_sources  = $(wildcard tests/unit/$(1)/*.c tests/unit/$(1)/*/*.c tests/unit/$(1)/*/*/*.c)
group_sources = $(if $(filter unit_%,$(1)),$(call unit_sources,$(patsubst unit_%,%,$(1))),\
                  $(wildcard tests/$(1)/test_*.c tests/$(1)/*/test_*.c))
# Tests of core rooms link core alone, so that they run when a room above does not compile.
in_core       = $(filter $(patsubst %,unit_%,core $(patsubst core/%/,%,$(wildcard core/*/))),$(1))

# ---- Rules, once per variant ---------------------------------------------------------------------

# Packages are installed before anything is compiled, but only for the goals that promise it.
DEPS := $(sort $(if $(filter test check bench,$(MAKECMDGOALS)),deps-build) \
               $(if $(filter test check,$(MAKECMDGOALS)),deps-test))

# $(call pkg,--cflags,packages): in a recipe; says what to do when a package is missing.
pkg = $$(for p in $(2); do pkg-config --exists $$p || { echo "loam: $$p is not installed: run" \
        "\`sh deploy/deps.sh build\` (and test)" >&2; exit 1; }; done; pkg-config $(1) $(2))
# $(call keep,text): writes the target only when its text changes.
keep = mkdir -p $(@D) && printf '%s\n' "$(1)" >$@.new && \
       if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# $(1) variant, $(2) its folder, $(3) kind of source.
define FLAG_RULES
$(2)/flags/$(3): FORCE | $$(DEPS)
	@flags="$$(if $$(PACKAGES_$(3)),$$(call pkg,--cflags,$$(PACKAGES_$(3))))" || exit 1; \
	$$(call keep,$$(COMMON) $$(CFLAGS_$(3)) -I$$(BUILD)/gen $$$$flags $$(SANITIZE_$(1)) $$(CFLAGS))
$(2)/flags/$(3)_libs: FORCE | $$(DEPS)
	@libs="$$(if $$(PACKAGES_$(3)),$$(call pkg,--libs,$$(PACKAGES_$(3))))" || exit 1; \
	$$(call keep,$$$$libs -lm -pthread $$(SANITIZE_$(1)) $$(LDFLAGS))
endef

# $(1) variant, $(2) folder, $(3) kind of source, $(4) pattern of sources.
define COMPILE_RULE
$(2)/obj/$(4).o: $(4).c $(2)/flags/$(3) $(2)/flags/compiler
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  CC    $$<")
	$$(Q)$$(CC) @$(2)/flags/$(3) -MMD -MP -c -o $$@ $$<
endef

# $(1) variant, $(2) folder, $(3) level.
define KERNEL_RULE
$(2)/obj/core/%_kernel.$(3).o: core/%_kernel.c $(2)/flags/core $(2)/flags/compiler
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  CC    $$< $(3)")
	$$(Q)$$(CC) @$(2)/flags/core $$(FLAGS_$(3)) -DKERNEL_LEVEL=$(3) -MMD -MP -c -o $$@ $$<
endef

# $(1) folder, $(2) library, $(3) objects. The list file makes a removed source leave the library.
define ARCHIVE_RULE
$(1)/flags/$(2).list: FORCE
	@$$(call keep,$(3))
$(1)/lib/$(2).a: $(3) $(1)/flags/$(2).list
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  AR    $$@")
	@rm -f $$@
	$$(Q)$$(AR) rcs $$@ $(3)
endef

# $(1) folder, $(2) program, $(3) kind for libraries, $(4) objects, $(5) archives in link order.
define LINK_RULE
$(1)/$(2): $(4) $(5) $(1)/flags/$(3)_libs $(1)/flags/compiler
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  LINK  $$@")
	$$(Q)$$(CC) -o $$@ $(4) $(5) @$(1)/flags/$(3)_libs
endef

objects  = $(patsubst %.c,$(1)/obj/%.o,$(2))
kernels  = $(foreach level,$(LEVELS),$(patsubst %.c,$(1)/obj/%.$(level).o,$(KERNELS)))
core_a   = $(1)/lib/libloam.a
api_a    = $(1)/lib/libloam_api.a $(1)/lib/libloam.a
all_a    = $(1)/lib/libsupport.a $(if $(SERVER),$(1)/lib/libloamd.a) \
           $(if $(CLIENT),$(1)/lib/libloam_client.a) $(call api_a,$(1))
# What a Criterion program of a group links.
group_a  = $(if $(call in_core,$(2)),$(1)/lib/libsupport.a $(1)/lib/libloam.a,$(call all_a,$(1)))

# $(1) variant, $(2) folder.
define VARIANT
$(2)/flags/compiler: FORCE | $$(DEPS)
	@version=$$$$($$(CC) --version | head -n 1) || exit 1; $$(call keep,$$(CC): $$$$version)
$(foreach kind,core api client server test,$(eval $(call FLAG_RULES,$(1),$(2),$(kind))))
$(foreach level,$(LEVELS),$(eval $(call KERNEL_RULE,$(1),$(2),$(level))))
$(eval $(call COMPILE_RULE,$(1),$(2),core,core/%))
$(eval $(call COMPILE_RULE,$(1),$(2),client,api/client/%))
$(eval $(call COMPILE_RULE,$(1),$(2),client,api/cli/%))
$(eval $(call COMPILE_RULE,$(1),$(2),core,api/examples/%))
$(eval $(call COMPILE_RULE,$(1),$(2),api,api/%))
$(eval $(call COMPILE_RULE,$(1),$(2),server,server/%))
$(eval $(call COMPILE_RULE,$(1),$(2),test,tests/%))
$(eval $(call ARCHIVE_RULE,$(2),libloam,$(call objects,$(2),$(CORE)) $(call kernels,$(2))))
$(eval $(call ARCHIVE_RULE,$(2),libloam_api,$(call objects,$(2),$(API))))
$(eval $(call ARCHIVE_RULE,$(2),libloam_client,$(call objects,$(2),$(CLIENT))))
$(eval $(call ARCHIVE_RULE,$(2),libloamd,$(call objects,$(2),$(SERVER))))
$(eval $(call ARCHIVE_RULE,$(2),libsupport,$(call objects,$(2),$(SUPPORT))))
$(eval $(call LINK_RULE,$(2),bin/loam,client,$(call objects,$(2),$(CLI)),\
  $(if $(CLIENT),$(2)/lib/libloam_client.a) $(call api_a,$(2))))
$(eval $(call LINK_RULE,$(2),bin/loamd,server,$(call objects,$(2),$(MAIN)),\
  $(2)/lib/libloamd.a $(call api_a,$(2))))
$(foreach group,$(GROUPS),$(eval $(call LINK_RULE,$(2),test/$(group),test,\
  $(call objects,$(2),$(call group_sources,$(group))),$(call group_a,$(2),$(group)))))
$(foreach file,$(EXAMPLES),$(eval $(call LINK_RULE,$(2),example/$(basename $(notdir $(file))),core,\
  $(call objects,$(2),$(file)),$(call core_a,$(2)))))
$(foreach file,$(THREADS),$(eval $(call LINK_RULE,$(2),thread/$(basename $(notdir $(file))),test,\
  $(call objects,$(2),$(file)),$(call all_a,$(2)))))
$(foreach file,$(BENCHES),$(eval $(call LINK_RULE,$(2),bench/$(basename $(notdir $(file))),test,\
  $(call objects,$(2),$(file)),$(call all_a,$(2)))))
endef

$(eval $(call VARIANT,plain,$(BUILD)))
$(eval $(call VARIANT,asan,$(BUILD)/asan))
$(eval $(call VARIANT,tsan,$(BUILD)/tsan))

$(BUILD)/gen/%.inc: %
	@mkdir -p $(@D)
	@od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' >$@
EMBEDDED_INC := $(EMBEDDED:%=$(BUILD)/gen/%.inc)
$(foreach folder,$(BUILD) $(BUILD)/asan $(BUILD)/tsan,\
  $(call objects,$(folder),$(SERVER) $(MAIN))): | $(EMBEDDED_INC)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- Goals ---------------------------------------------------------------------------------------

LIBRARIES := $(BUILD)/lib/libloam.a $(BUILD)/lib/libloam_api.a \
             $(if $(CLIENT),$(BUILD)/lib/libloam_client.a)
PROGRAMS  := $(if $(filter api/cli/main.c,$(CLI)),$(BUILD)/bin/loam) \
             $(if $(MAIN),$(BUILD)/bin/loamd)
named      = $(patsubst %.c,$(1)/%,$(notdir $(2)))

export LOAM_BUILD = $(abspath $(BUILD))
export LOAM_BIN   = $(abspath $(BUILD))/bin
export LOAM_TEST_DATA

.PHONY: all core examples demo test check bench cross install uninstall fmt help clean
.PHONY: deps-build deps-test

all: core $(LIBRARIES) $(PROGRAMS) examples ## build the libraries, loam, loamd and the examples

core: $(BUILD)/lib/libloam.a ## build libloam.a alone: needs a compiler and nothing else

examples: $(call named,$(BUILD)/example,$(EXAMPLES))

deps-build:
	@sh deploy/deps.sh build

deps-test: deps-build
	@sh deploy/deps.sh test

demo: deps-build ## install what is missing, build, and make a world (deploy/deps.sh, api/examples)
	@$(MAKE) all
	@sh api/examples/demo.sh

# Programs that the tests start are built before any test runs.
TESTS := $(addprefix test/,$(GROUPS)) $(call named,thread,$(THREADS))
TESTS := $(if $(ONLY),$(filter $(addprefix test/,$(ONLY)) $(addprefix thread/,$(ONLY)),$(TESTS)),\
           $(TESTS))
test: deps-test all $(addprefix $(BUILD)/,$(TESTS)) ## install what is missing, build, run all tests
	@sh tests/support/run.sh $(addprefix $(BUILD)/,$(TESTS))

CHECKS := $(addprefix $(BUILD)/asan/,$(filter test/unit_%,$(TESTS)) $(filter thread/%,$(TESTS))) \
          $(addprefix $(BUILD)/tsan/,$(filter thread/%,$(TESTS)))
check: deps-test $(CHECKS) ## run unit and thread tests under ASan, UBSan and TSan
	@sh tests/support/run.sh $(CHECKS)

BENCH := $(call named,$(BUILD)/bench,$(BENCHES))
bench: deps-build all $(BENCH) ## measure; prints lines of name, value, unit
	@for program in $(BENCH); do $$program || exit 1; done

cross: ## install cross compilers; the same bytes from every compiler, level and machine
	@sh deploy/deps.sh build
	@sh deploy/deps.sh cross
	@bash tests/golden/cross.sh

INSTALL_BIN := $(DESTDIR)$(PREFIX)/bin
INSTALL_LIB := $(DESTDIR)$(PREFIX)/lib
INSTALL_INC := $(DESTDIR)$(PREFIX)/include
install: all ## install loam, loamd, libloam.a, loam.h and loam.pc below DESTDIR and PREFIX
	install -d $(INSTALL_BIN) $(INSTALL_LIB)/pkgconfig $(INSTALL_INC)
	$(if $(strip $(PROGRAMS)),install -m 755 $(PROGRAMS) $(INSTALL_BIN))
	install -m 644 $(BUILD)/lib/libloam.a $(INSTALL_LIB)
	install -m 644 core/loam.h $(INSTALL_INC)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' \
	  'Name: loam' 'Description: deterministic generation of worlds' 'Version: $(VERSION)' \
	  'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lloam -lm' >$(INSTALL_LIB)/pkgconfig/loam.pc

uninstall: ## remove what install put there
	rm -f $(INSTALL_BIN)/loam $(INSTALL_BIN)/loamd $(INSTALL_LIB)/libloam.a $(INSTALL_INC)/loam.h \
	  $(INSTALL_LIB)/pkgconfig/loam.pc

fmt: ## format all C in place with clang-format
	find core api server tests -name '*.[ch]' | xargs clang-format -i

help: ## list the goals
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

clean: ## remove the build folder
	rm -rf $(BUILD)
