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
#   core, api/client            lib/libNAME.so.ABI    the same, shared: what public headers show
#   api/examples/*.c            example/NAME          each links libloam.a alone; game_*.c the client
#   tests/unit/core/space/*.c   test/unit_core_space  Criterion; one program per room
#   tests/http flow golden sim torture disaster       Criterion; one program per folder; with the
#                               other files there; SIM_GRAPHS=5000 makes sim try so many graphs
#   tests/thread/*.c tests/bench/*.c                  programs of their own
#   tests/fuzz/fuzz_*.c       fuzz/fuzz_NAME          replays its corpus; `make fuzz`: libFuzzer
#   tests/tidy/*.sh             the house rules and the headers alone, two more tests
#   tests/support/*.c           linked into all of these
#   tests/golden/generate.c     golden/generate, with the files there that are neither a test nor
#                               digest.c; digest.c is built once per row of `make cross`
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
# `make test ONLY="unit_core_space http"` runs the programs whose names begin so, and no other.
ONLY    ?=

# Raised when a caller of the shared libraries would have to be compiled anew.
ABI     := 0
VERSION = $(shell sed -n 's/^.define LOAM_VERSION_TEXT "\(.*\)"/\1/p' core/loam.h)
MACHINE := $(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m))

# As many jobs as processors, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: FORCE

# ---- Flags ---------------------------------------------------------------------------------------

# Rule 1 of determinism: the same bytes from every build. No -Ofast, -march=native or contraction.
EXACT    := -std=c17 -O3 -ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Werror
# gcc in ISO mode computes floats in double on s390x, unless told otherwise.
FLOATS_s390x := -fexcess-precision=fast
# Libraries show what their public headers do and no more.
COMMON   := $(EXACT) $(FLOATS_$(firstword $(subst -, ,$(MACHINE)))) $(WARNINGS) -g -fPIC \
            -fvisibility=hidden -I.

LEVELS := baseline
ifneq ($(filter x86_64-%,$(MACHINE)-),)
LEVELS := baseline avx2 avx512
endif
FLAGS_baseline :=
FLAGS_avx2     := -mavx2
FLAGS_avx512   := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512

# pkg-config is asked when a rule that needs the answer runs, not when this file is read.
API_PACKAGES    := jansson nettle libpng zlib libzstd
CLIENT_PACKAGES := libcurl
SERVER_PACKAGES := libmicrohttpd gnutls libuv sqlite3
TEST_PACKAGES   := criterion

CFLAGS_core    :=
CFLAGS_api     := -D_GNU_SOURCE
CFLAGS_client  := -D_GNU_SOURCE
CFLAGS_server  := -D_GNU_SOURCE
CFLAGS_test    := -D_GNU_SOURCE
PACKAGES_core    :=
PACKAGES_api     := $(API_PACKAGES)
PACKAGES_client  := $(API_PACKAGES) $(CLIENT_PACKAGES)
PACKAGES_server  := $(API_PACKAGES) $(SERVER_PACKAGES)
PACKAGES_test    := $(API_PACKAGES) $(CLIENT_PACKAGES) $(SERVER_PACKAGES) $(TEST_PACKAGES)

# Builds beside the one that ships lie in folders of their own below BUILD, with another compiler or
# flags after the common ones: CC_NAME, MORE_NAME, LINK_NAME, LEVELS_NAME.
# Addresses are found at the start, and cannot be turned to others later.
LINK_plain := -Wl,-z,relro,-z,now
SANITIZE  := -O1 -fno-omit-frame-pointer
MORE_asan := $(SANITIZE) -fsanitize=address,undefined -fno-sanitize-recover=all
LINK_asan := -fsanitize=address,undefined
MORE_tsan := $(SANITIZE) -fsanitize=thread
LINK_tsan := -fsanitize=thread
CC_libfuzzer   := clang
MORE_libfuzzer := $(MORE_asan) -fsanitize=fuzzer-no-link
LINK_libfuzzer := $(LINK_asan) -fsanitize=fuzzer

# The rows of `make cross`: all of them compute the same bytes ...
CROSS := gcc-O0 gcc-O2 gcc-O3 clang-O0 clang-O2 clang-O3 musl aarch64 s390x riscv64 wasm32
$(foreach level,O0 O2 O3,\
  $(eval CC_gcc-$(level) := gcc)$(eval MORE_gcc-$(level) := -$(level))\
  $(eval CC_clang-$(level) := clang)$(eval MORE_clang-$(level) := -$(level)))
CC_musl   := musl-gcc
LINK_musl := -static
$(foreach machine,aarch64 s390x riscv64,\
  $(eval CC_$(machine) := $(machine)-linux-gnu-gcc)$(eval LINK_$(machine) := -static)\
  $(eval LEVELS_$(machine) := baseline))
MORE_s390x    := $(FLOATS_s390x)
CC_wasm32     := clang --target=wasm32-wasi
MORE_wasm32   := -fno-pic
# The linker's default is 64 KB: an estimate of 256 nodes alone takes half of that.
LINK_wasm32   := -Wl,-z,stack-size=1048576
LEVELS_wasm32 := baseline

# ... and these must be caught: contraction by the self-test, fast math by the guard of
# core/base/portable.h and, with the guard off, by the self-test.
CONTRACT := -std=gnu17 -ffp-contract=fast
CAUGHT   := caught-fma caught-aarch64 caught-ofast
CC_caught-fma         := gcc
MORE_caught-fma       := $(CONTRACT) -march=native
CC_caught-aarch64     := $(CC_aarch64)
MORE_caught-aarch64   := $(CONTRACT)
LINK_caught-aarch64   := -static
LEVELS_caught-aarch64 := baseline
CC_caught-ofast       := gcc
MORE_caught-ofast     := -Ofast -DLOAM_ALLOW_FAST_MATH
LINK_caught-ofast     := -Ofast

cc_of     = $(or $(CC_$(1)),$(CC))
levels_of = $(or $(LEVELS_$(1)),$(LEVELS))

# ---- Sources -------------------------------------------------------------------------------------

KERNELS  := $(wildcard core/*/*_kernel.c)
CORE     := $(filter-out $(KERNELS),$(wildcard core/*/*.c))
API      := $(wildcard api/wire/*.c api/key/*.c api/view/*.c)
CLIENT   := $(wildcard api/client/*.c)
CLI      := $(wildcard api/cli/*.c)
SERVER   := $(filter-out server/main.c,$(wildcard server/*.c server/*/*.c))
MAIN     := $(wildcard server/main.c)
SUPPORT  := $(wildcard tests/support/*.c)
CLIENT_EXAMPLES := $(wildcard api/examples/game_*.c)
EXAMPLES := $(filter-out $(CLIENT_EXAMPLES),$(wildcard api/examples/*.c))
BENCHES  := $(wildcard tests/bench/*.c)
# Of a whole daemon, minutes each: a goal of its own for every one.
SIEGES   := $(wildcard tests/bench/*/*_bench.c)
THREADS  := $(wildcard tests/thread/*.c)
FUZZ     := $(wildcard tests/fuzz/fuzz_*.c)
# What the targets share; libFuzzer brings the driver that replay.c is elsewhere.
FUZZING  := $(filter-out $(FUZZ) tests/fuzz/replay.c,$(wildcard tests/fuzz/*.c))
GENERATE := $(wildcard tests/golden/generate.c)
GOLDEN   := $(filter-out tests/golden/test_%.c tests/golden/generate.c tests/golden/digest.c,\
              $(wildcard tests/golden/*.c))
SIM      := $(filter-out tests/sim/test_%.c,$(wildcard tests/sim/*.c))
# Stands between a daemon of its own and the C library.
FAULT    := $(wildcard tests/torture/fault.c)
TORTURE  := $(filter-out tests/torture/test_%.c $(FAULT),$(wildcard tests/torture/*.c))
# A whole daemon on a machine of its own, in one program.
DISASTER := $(filter-out tests/disaster/test_%.c,$(wildcard tests/disaster/*.c))
# Files that a program carries in it: bytes, separated by commas, to #include in an initialiser as
# "migrations/control/0001_NAME.sql.inc".
EMBEDDED := $(wildcard migrations/*/*.sql api/openapi.yaml)

# A group of tests is a program: unit_core_space holds tests/unit/core/space/*.c.
unit_rooms  = $(sort $(patsubst tests/unit/%/,%,$(dir $(wildcard $(addsuffix /test_*.c,\
                tests/unit/* tests/unit/*/* tests/unit/*/*/*)))))
GROUPS     := $(addprefix unit_,$(subst /,_,$(unit_rooms))) \
              $(foreach top,http flow golden sim torture disaster,\
                $(if $(wildcard tests/$(top)/test_*.c tests/$(top)/*/test_*.c),$(top)))
group_sources = $(if $(filter unit_%,$(1)),\
                  $(wildcard tests/unit/$(subst _,/,$(patsubst unit_%,%,$(1)))/*.c),\
                  $(wildcard tests/$(1)/test_*.c tests/$(1)/*/test_*.c))
# Which rooms of the server a room may use: its tests link these and no other.
ROOMS       := $(patsubst server/%/,%,$(wildcard server/*/))
USES_loop   := thread
USES_store  := thread
USES_http   := loop watch thread
USES_slot   := config token watch loop http store thread
USES_world  := slot $(USES_slot)
USES_flight := world $(USES_world)
USES_cell   := flight $(USES_flight)
USES_dungeon := $(USES_cell)
USES_job    := cell dungeon $(USES_cell)
USES_admin  := slot $(USES_slot)
USES_flow   := $(filter-out flow,$(ROOMS))
unit_room    = $(lastword $(subst _, ,$(1)))

# ---- Rules, once per build -----------------------------------------------------------------------

# Packages are installed before anything is compiled, but only for the goals that promise it.
DEPS := $(sort $(if $(filter test check bench bench-http bench-attack bench-load cross fuzz,$(MAKECMDGOALS)),deps-build) \
               $(if $(filter test check fuzz,$(MAKECMDGOALS)),deps-test) \
               $(if $(filter cross,$(MAKECMDGOALS)),deps-cross) \
               $(if $(filter fuzz,$(MAKECMDGOALS)),deps-fuzz))

# $(call pkg,--cflags,packages): in a recipe; says what to do when a package is missing.
pkg = $$(for p in $(2); do pkg-config --exists $$p || { echo "loam: $$p is not installed: run" \
        "\`sh deploy/deps.sh build\` (and test)" >&2; exit 1; }; done; pkg-config $(1) $(2))
# $(call keep,text): writes the target only when its text changes.
keep = mkdir -p $(@D) && printf '%s\n' "$(1)" >$@.new && \
       if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
have_levels = $(if $(filter avx512,$(call levels_of,$(1))),-DLOAM_HAVE_X86_LEVELS=1)

# In the templates below: $(1) the build, $(2) its folder, $(3) the kind of source (whose flags).
define FLAG_RULES
$(2)/flags/$(3): FORCE | $$(DEPS)
	@flags="$$(if $$(PACKAGES_$(3)),$$(call pkg,--cflags,$$(PACKAGES_$(3))))" || exit 1; \
	$$(call keep,$$(COMMON) $$(CFLAGS_$(3)) $$(call have_levels,$(1)) -I$$(BUILD)/gen $$$$flags \
	  $$(MORE_$(1)) $$(CFLAGS))
$(2)/flags/$(3)_libs: FORCE | $$(DEPS)
	@libs="$$(if $$(PACKAGES_$(3)),$$(call pkg,--libs,$$(PACKAGES_$(3))) -pthread)" || exit 1; \
	$$(call keep,$$$$libs -lm $$(LINK_$(1)) $$(LDFLAGS))
endef

# $(4): the pattern of sources, without .c.
define COMPILE_RULE
$(2)/obj/$(4).o: $(4).c $(2)/flags/$(3) $(2)/flags/compiler
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  CC    $$<")
	$$(Q)$$(call cc_of,$(1)) @$(2)/flags/$(3) -MMD -MP -c -o $$@ $$<
endef

# $(3): the SIMD level that a kernel is compiled for.
define KERNEL_RULE
$(2)/obj/core/%_kernel.$(3).o: core/%_kernel.c $(2)/flags/core $(2)/flags/compiler
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  CC    $$< $(3)")
	$$(Q)$$(call cc_of,$(1)) @$(2)/flags/core $$(FLAGS_$(3)) -DKERNEL_LEVEL=$(3) \
	  -MMD -MP -c -o $$@ $$<
endef

# $(3): the library, $(4): its objects. The list file makes a removed source leave the library.
define ARCHIVE_RULE
$(2)/flags/$(3).list: FORCE | $$(DEPS)
	@$$(call keep,$(4))
$(2)/lib/$(3).a: $(4) $(2)/flags/$(3).list
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  AR    $$@")
	@rm -f $$@
	$$(Q)$$(AR) rcs $$@ $(4)
endef

# $(3): the kind, $(4): the library, $(5) its objects, $(6) archives whose symbols stay inside.
define SHARED_RULE
$(2)/lib/$(4).so.$(ABI): $(5) $(6) $(2)/flags/$(3)_libs $(2)/flags/compiler
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  LINK  $$@")
	$$(Q)$$(call cc_of,$(1)) -shared -Wl,-soname,$$(@F) -Wl,-z,defs $$(LINK_plain) -Wl,--as-needed \
	  -Wl,--exclude-libs,ALL -o $$@ $(5) $(6) @$(2)/flags/$(3)_libs
	@ln -sf $$(@F) $(2)/lib/$(4).so
endef

# $(4): the program, $(5) its objects, $(6) archives in link order.
define LINK_RULE
$(2)/$(4): $(5) $(6) $(2)/flags/$(3)_libs $(2)/flags/compiler
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  LINK  $$@")
	$$(Q)$$(call cc_of,$(1)) -o $$@ $(5) $(6) @$(2)/flags/$(3)_libs
endef

objects  = $(patsubst %.c,$(1)/obj/%.o,$(2))
kernels  = $(foreach level,$(call levels_of,$(1)),$(patsubst %.c,$(2)/obj/%.$(level).o,$(KERNELS)))
core_a   = $(1)/lib/libloam.a
api_a    = $(1)/lib/libloam_api.a $(1)/lib/libloam.a
client_a = $(if $(CLIENT),$(1)/lib/libloam_client.a) $(call api_a,$(1))
all_a    = $(1)/lib/libsupport.a $(if $(SERVER),$(1)/lib/libloamd.a) $(call client_a,$(1))
fuzz_a   = $(1)/lib/libfuzz.a $(1)/lib/libsupport.a $(1)/lib/libloamd.a $(call api_a,$(1))
rooms_a  = $(foreach room,$(2) $(USES_$(2)),$(1)/lib/libloamd_$(room).a)
# What a Criterion program of a group links: what its room may use, so that it runs while a room
# above does not compile, and fails to link when an arrow points up.
group_a  = $(1)/lib/libsupport.a $(strip \
             $(if $(filter unit_core_%,$(2)),$(call core_a,$(1)),\
             $(if $(filter unit_api_cli,$(2)),$(1)/lib/libloam_cli.a $(call client_a,$(1)),\
             $(if $(filter unit_api_client,$(2)),$(call client_a,$(1)),\
             $(if $(filter unit_api_% sim,$(2)),$(call api_a,$(1)),\
             $(if $(filter unit_server_%,$(2)),\
               $(call rooms_a,$(1),$(call unit_room,$(2))) $(call api_a,$(1)),\
             $(call all_a,$(1))))))))

# core alone, and the digest program: all that a row of `make cross` needs. The program links the
# objects, since ar of one machine makes no index for another.
define CORE_BUILD
$(2)/flags/compiler: FORCE | $$(DEPS)
	@version=$$$$($$(call cc_of,$(1)) --version) || { echo "loam: no $$(call cc_of,$(1)):" \
	  "run \`sh deploy/deps.sh build\` (cross)" >&2; exit 1; }; \
	version=$$$$(echo "$$$$version" | head -n 1); $$(call keep,$$(call cc_of,$(1)): $$$$version)
$(eval $(call FLAG_RULES,$(1),$(2),core))
$(foreach level,$(call levels_of,$(1)),$(eval $(call KERNEL_RULE,$(1),$(2),$(level))))
$(eval $(call COMPILE_RULE,$(1),$(2),core,core/%))
$(eval $(call COMPILE_RULE,$(1),$(2),core,tests/golden/digest))
$(eval $(call ARCHIVE_RULE,$(1),$(2),libloam,\
  $(call objects,$(2),$(CORE)) $(call kernels,$(1),$(2))))
$(eval $(call LINK_RULE,$(1),$(2),core,golden/digest,\
  $(call objects,$(2),tests/golden/digest.c $(CORE)) $(call kernels,$(1),$(2))))
endef

# $(call single,build,folder,kind,program folder,sources,archives): a program for each source.
single   = $(foreach file,$(5),$(eval $(call LINK_RULE,$(1),$(2),$(3),$(call named,$(4),$(file)),\
             $(call objects,$(2),$(file)),$(6))))
named    = $(patsubst %.c,$(1)/%,$(notdir $(2)))

define WHOLE_BUILD
$(eval $(call CORE_BUILD,$(1),$(2)))
$(foreach kind,api client server test,$(eval $(call FLAG_RULES,$(1),$(2),$(kind))))
$(eval $(call COMPILE_RULE,$(1),$(2),api,api/%))
$(eval $(call COMPILE_RULE,$(1),$(2),client,api/client/%))
$(eval $(call COMPILE_RULE,$(1),$(2),client,api/cli/%))
$(eval $(call COMPILE_RULE,$(1),$(2),core,api/examples/%))
$(eval $(call COMPILE_RULE,$(1),$(2),client,api/examples/game_%))
$(eval $(call COMPILE_RULE,$(1),$(2),server,server/%))
$(eval $(call COMPILE_RULE,$(1),$(2),test,tests/%))
$(eval $(call COMPILE_RULE,$(1),$(2),api,tests/golden/%))
$(eval $(call COMPILE_RULE,$(1),$(2),test,tests/golden/test_%))
$(eval $(call ARCHIVE_RULE,$(1),$(2),libloam_api,$(call objects,$(2),$(API))))
$(eval $(call ARCHIVE_RULE,$(1),$(2),libloam_client,$(call objects,$(2),$(CLIENT))))
$(eval $(call ARCHIVE_RULE,$(1),$(2),libloam_cli,\
  $(call objects,$(2),$(filter-out api/cli/main.c,$(CLI)))))
$(eval $(call ARCHIVE_RULE,$(1),$(2),libloamd,$(call objects,$(2),$(SERVER))))
$(foreach room,$(ROOMS),$(eval $(call ARCHIVE_RULE,$(1),$(2),libloamd_$(room),\
  $(call objects,$(2),$(wildcard server/$(room)/*.c)))))
$(eval $(call ARCHIVE_RULE,$(1),$(2),libsupport,$(call objects,$(2),$(SUPPORT))))
$(eval $(call ARCHIVE_RULE,$(1),$(2),libfuzz,$(call objects,$(2),$(FUZZING) \
  $(if $(filter-out libfuzzer,$(1)),tests/fuzz/replay.c))))
$(eval $(call LINK_RULE,$(1),$(2),client,bin/loam,$(call objects,$(2),$(CLI)),\
  $(call client_a,$(2))))
$(eval $(call LINK_RULE,$(1),$(2),server,bin/loamd,$(call objects,$(2),$(MAIN)),\
  $(2)/lib/libloamd.a $(call api_a,$(2))))
$(eval $(call LINK_RULE,$(1),$(2),server,torture/bin/loamd,$(call objects,$(2),$(MAIN) $(FAULT)),\
  $(2)/lib/libloamd.a $(call api_a,$(2))))
$(2)/test/torture: | $(2)/torture/bin/loamd $(2)/bin/loamd
$(eval $(call LINK_RULE,$(1),$(2),server,disaster/simulate,\
  $(call objects,$(2),$(DISASTER)),$(2)/lib/libloamd.a $(call api_a,$(2))))
$(2)/test/disaster: | $(2)/disaster/simulate
$(eval $(call LINK_RULE,$(1),$(2),api,golden/generate,\
  $(call objects,$(2),$(GENERATE) $(GOLDEN)),$(call api_a,$(2))))
$(foreach group,$(GROUPS),$(eval $(call LINK_RULE,$(1),$(2),test,test/$(group),\
  $(call objects,$(2),$(call group_sources,$(group)) $(if $(filter golden,$(group)),$(GOLDEN)) \
    $(if $(filter sim,$(group)),$(SIM)) $(if $(filter torture,$(group)),$(TORTURE))),\
  $(call group_a,$(2),$(group)))))
$(call single,$(1),$(2),core,example,$(EXAMPLES),$(call core_a,$(2)))
$(call single,$(1),$(2),client,example,$(CLIENT_EXAMPLES),$(call client_a,$(2)))
$(call single,$(1),$(2),test,thread,$(THREADS),$(call all_a,$(2)))
$(call single,$(1),$(2),test,bench,$(BENCHES) $(SIEGES),$(call all_a,$(2)))
$(call single,$(1),$(2),server,fuzz,$(FUZZ),$(call fuzz_a,$(2)))
endef

$(eval $(call WHOLE_BUILD,plain,$(BUILD)))
$(eval $(call SHARED_RULE,plain,$(BUILD),core,libloam,\
  $(call objects,$(BUILD),$(CORE)) $(call kernels,plain,$(BUILD))))
$(eval $(call SHARED_RULE,plain,$(BUILD),client,libloam_client,$(call objects,$(BUILD),$(CLIENT)),\
  $(call api_a,$(BUILD))))
$(eval $(call WHOLE_BUILD,asan,$(BUILD)/asan))
$(eval $(call WHOLE_BUILD,tsan,$(BUILD)/tsan))
$(eval $(call WHOLE_BUILD,libfuzzer,$(BUILD)/libfuzzer))
$(foreach row,$(CROSS) $(CAUGHT),$(eval $(call CORE_BUILD,$(row),$(BUILD)/cross/$(row))))

$(BUILD)/gen/%.inc: %
	@mkdir -p $(@D)
	@od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' >$@
EMBEDDED_INC := $(EMBEDDED:%=$(BUILD)/gen/%.inc)
$(foreach folder,$(BUILD) $(addprefix $(BUILD)/,asan tsan libfuzzer),\
  $(call objects,$(folder),$(SERVER) $(MAIN))): | $(EMBEDDED_INC)

-include $(shell find $(BUILD) -path '*/obj/*.d' -type f 2>/dev/null)

# ---- Goals ---------------------------------------------------------------------------------------

LIBRARIES := $(BUILD)/lib/libloam.a $(BUILD)/lib/libloam_api.a \
             $(if $(CLIENT),$(BUILD)/lib/libloam_client.a)
SHARED    := $(BUILD)/lib/libloam.so.$(ABI) $(BUILD)/lib/libloam_client.so.$(ABI)
PROGRAMS  := $(if $(filter api/cli/main.c,$(CLI)),$(BUILD)/bin/loam) \
             $(if $(MAIN),$(BUILD)/bin/loamd)

# Manual pages, completion and the sample of the configuration: what the programs print of themselves.
PAGES := $(addprefix $(BUILD)/share/,loam.1 loam.bash loamd.8 loamd.conf.5 loamd.conf)
PRINT_loam.1       := loam manual
PRINT_loam.bash    := loam completion bash
PRINT_loamd.8      := loamd --manual
PRINT_loamd.conf.5 := loamd --manual-config
PRINT_loamd.conf   := loamd --sample-config
$(PAGES): $(PROGRAMS)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  PRINT $@")
	$(Q)$(BUILD)/bin/$(PRINT_$(@F)) >$@

export LOAM_ABI = $(ABI)
export LOAM_VERSION = $(VERSION)
export LOAM_BUILD = $(abspath $(BUILD))
export LOAM_BIN   = $(LOAM_BUILD)/bin
export LOAM_TEST_DATA

.PHONY: all core examples demo test check fuzz bench bench-http bench-attack bench-load cross install uninstall fmt help clean
.PHONY: deps-build deps-test deps-cross deps-fuzz deps-bench

all: core $(LIBRARIES) $(SHARED) $(PROGRAMS) $(PAGES) examples ## build the libraries, loam, loamd and the examples

core: $(BUILD)/lib/libloam.a ## build libloam.a alone: needs a compiler and nothing else

examples: $(call named,$(BUILD)/example,$(EXAMPLES) $(CLIENT_EXAMPLES))

deps-build:
	@sh deploy/deps.sh build

deps-test: deps-build
	@sh deploy/deps.sh test

deps-cross: deps-build
	@sh deploy/deps.sh cross

deps-fuzz: deps-test
	@sh deploy/deps.sh fuzz

deps-bench: deps-build
	@sh deploy/deps.sh bench

demo: deps-build ## install what is missing, build, and make a world (deploy/deps.sh, api/examples)
	@$(MAKE) --no-print-directory all
	@sh api/examples/demo.sh

# Programs that the tests start are built before any test runs; unit tests alone start none.
TESTS  := $(addprefix test/,$(GROUPS)) $(call named,thread,$(THREADS)) $(call named,fuzz,$(FUZZ))
only   = $(if $(ONLY),$(filter $(foreach name,$(ONLY),$(addsuffix $(name)%,test/ thread/ fuzz/)),\
           $(1)),$(1))
TESTS  := $(call only,$(TESTS))
test: deps-test $(if $(filter-out unit_%,$(or $(ONLY),all)),all) $(addprefix $(BUILD)/,$(TESTS)) \
      ## install what is missing, build, run all tests
	@sh tests/support/run.sh $(if $(ONLY),,$(wildcard tests/tidy/*.sh)) $(addprefix $(BUILD)/,$(TESTS))

# HTTP and flow tests start the daemon of their own build.
ASAN   := $(filter-out test/golden,$(TESTS))
TSAN   := $(filter thread/%,$(TESTS))
CHECKS := $(addprefix $(BUILD)/asan/,$(ASAN)) $(addprefix $(BUILD)/tsan/,$(TSAN))
# Dungeons of every recipe with random parameters, without sanitizers: a sample is part of `make test`.
DUNGEON_SEEDS ?= 100000
SEEDS_TEST := $(filter $(BUILD)/test/unit_core_dungeon,$(addprefix $(BUILD)/,$(TESTS)))
# Seeds of the simulated machine; and of the calls that may fail every so many fails (1: all of them,
# for some hours). Without sanitizers, beside the samples with them.
SIM_SEEDS     ?= 500
TORTURE_EVERY ?= 20
LONG_TESTS := $(filter $(BUILD)/test/disaster $(BUILD)/test/torture,$(addprefix $(BUILD)/,$(TESTS)))
CHECK_TIMEOUT_S := 7200
check: deps-test $(CHECKS) $(SEEDS_TEST) $(LONG_TESTS) $(PROGRAMS) \
       $(PROGRAMS:$(BUILD)/%=$(BUILD)/asan/%) \
       $(call named,$(BUILD)/asan/example,$(EXAMPLES) $(CLIENT_EXAMPLES)) \
       ## run the tests under ASan and UBSan, and those of threads under TSan
	@LOAM_TEST_TIMEOUT_S=$(CHECK_TIMEOUT_S) sh tests/support/run.sh $(CHECKS)
	$(if $(LONG_TESTS),@LOAM_TEST_TIMEOUT_S=$(CHECK_TIMEOUT_S) LOAM_SIM_SEEDS=$(SIM_SEEDS) \
	  LOAM_TORTURE=$(TORTURE_EVERY) sh tests/support/run.sh $(LONG_TESTS))
	$(if $(SEEDS_TEST),@LOAM_DUNGEON_SEEDS=$(DUNGEON_SEEDS) $(SEEDS_TEST) \
	  --filter 'dungeon_seeds/*')

# Seconds for each target.
FUZZ_SECONDS ?= 60
TARGETS := $(addprefix $(BUILD)/libfuzzer/,$(call only,$(call named,fuzz,$(FUZZ))))
fuzz: deps-fuzz $(TARGETS) ## let libFuzzer loose on every parser, FUZZ_SECONDS each, with sanitizers
	@sh tests/fuzz/run.sh $(FUZZ_SECONDS) $(BUILD)/libfuzzer $(TARGETS)

BENCH := $(call named,$(BUILD)/bench,$(BENCHES))
bench: deps-build all $(BENCH) ## measure; prints lines of name, value, unit
	@for program in $(BENCH); do $$program || exit 1; done

bench-attack: deps-build all $(BUILD)/bench/attack_bench ## cached answers to honest clients while others attack; memory
	@$(BUILD)/bench/attack_bench

bench-load: deps-build all $(BUILD)/bench/load_bench ## cached and uncached answers beside a bake and a scrub, with bars
	@$(BUILD)/bench/load_bench

bench-http: deps-bench all ## cached answers beside nginx: ratios, processor time, latencies
	@sh tests/bench/http/run.sh $(BUILD)

CASES := $(BUILD)/golden/cases.bin
$(CASES): $(BUILD)/golden/generate
	@$< $@

DIGESTS := $(foreach row,$(CROSS) $(CAUGHT),$(BUILD)/cross/$(row)/golden/digest)
cross: deps-cross $(CASES) $(DIGESTS) ## the same bytes from every compiler, level and machine
	@bash tests/golden/cross.sh $(CASES) $(BUILD)/cross

# What goes where is said by deploy/install.sh alone.
LIBDIR     ?= $(PREFIX)/lib
UNITDIR    ?= $(PREFIX)/lib/systemd/system
SYSCONFDIR ?= /etc
INSTALL    = DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' UNITDIR='$(UNITDIR)' \
             SYSCONFDIR='$(SYSCONFDIR)' ABI='$(ABI)' VERSION='$(VERSION)' sh deploy/install.sh
install: all ## install programs, libraries, headers, manual, unit below DESTDIR and PREFIX
	$(INSTALL) install $(BUILD)

uninstall: ## remove what install put there; a configuration that was edited stays
	$(INSTALL) uninstall $(BUILD)

deb: all ## Debian packages in BUILD/deb: loam, libloam0, libloam-dev
	ABI='$(ABI)' VERSION='$(VERSION)' sh deploy/deb.sh $(BUILD) $(BUILD)/deb

# A test holds the libraries against these; what is in them is their face to others.
symbols: $(SHARED) ## write down what the shared libraries show
	@for pair in core/libloam api/client/libloam_client; do \
	  nm -D --defined-only $(BUILD)/lib/$${pair##*/}.so.$(ABI) | awk '{ print $$3 }' | \
	  LC_ALL=C sort >$$pair.symbols; done

fmt: ## format all C in place with clang-format
	find core api server tests -name '*.[ch]' | xargs clang-format -i

help: ## list the goals
	@sed -n -e ':more' -e '/\\$$/{N;b more' -e '}' \
	  -e 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 18

clean: ## remove the build folder
	rm -rf $(BUILD)
