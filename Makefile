# GNU make. Targets: all (default), check, check-asan, check-valgrind, fuzz-smoke, lint, test (all of these), coverage, bench, install,
# clean. BUILD=dir builds elsewhere, CC=clang works too.

BUILD  ?= build
CC     ?= gcc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local

# V=1 shows the commands.
say := $(if $(V),,@)

VERSION  := 0.1.0
warnings := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef -Werror
packages := libtirpc gsl jansson
cflags    = -std=c11 -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -MMD -MP -I. -I$(BUILD)/gen \
            $(shell pkg-config --cflags $(packages)) $(CFLAGS)
libs      = $(shell pkg-config --libs $(packages)) -lm

sources := $(filter-out nhfsstone.c,$(wildcard *.c))
objects := $(sources:%.c=$(BUILD)/%.o) $(BUILD)/nfs_prot_xdr.o
checks  := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/check_*.c))

.PHONY: all
all: $(BUILD)/nhfsstone

$(BUILD)/nhfsstone: $(BUILD)/nhfsstone.o $(objects)
	$(say)$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(libs)
	@[ "$(BUILD)" != build ] || ln -sf build/nhfsstone nhfsstone

$(BUILD)/gen/nfs_prot.h: nfs_prot.x
	@mkdir -p $(@D)
	$(say)rpcgen -h $< >$@.new && mv $@.new $@

$(BUILD)/gen/nfs_prot_xdr.c: nfs_prot.x
	@mkdir -p $(@D)
	$(say)rpcgen -c $< >$@.new && mv $@.new $@

# rpcgen's own code is not held to our warnings.
$(BUILD)/nfs_prot_xdr.o: $(BUILD)/gen/nfs_prot_xdr.c $(BUILD)/gen/nfs_prot.h
	$(say)$(CC) $(cflags) -w -c -o $@ $<

$(BUILD)/%.o: %.c | $(BUILD)/gen/nfs_prot.h
	@mkdir -p $(@D)
	$(say)$(CC) $(cflags) $(warnings) -c -o $@ $<

$(BUILD)/tests/%: tests/%.c $(objects)
	@mkdir -p $(@D)
	$(say)$(CC) $(cflags) $(warnings) $(shell pkg-config --cflags check) $(LDFLAGS) -o $@ $< $(objects) $(libs) \
	    $(shell pkg-config --libs check)

# ---- tests ----

.PHONY: check check-units check-cli check-ganesha check-asan check-valgrind test
check: check-units check-cli check-ganesha

check-units: $(checks)
	tests/tally $(checks)

check-cli: $(BUILD)/nhfsstone
	NHFSSTONE=$(abspath $(BUILD)/nhfsstone) tests/tally tests/cli/*.bats

check-ganesha: $(BUILD)/nhfsstone
	GANESHA_FSAL=vfs NHFSSTONE=$(abspath $(BUILD)/nhfsstone) tests/ganesha/with-ganesha \
	    tests/tally tests/ganesha/ganesha.bats
	NHFSSTONE=$(abspath $(BUILD)/nhfsstone) tests/ganesha/with-ganesha --rpcbind tests/tally tests/ganesha/rpcbind.bats

# The same tests with every bad access and undefined operation fatal. Rates are not the sanitizers' business: the tests of
# numbers stay out.
sanitize := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
check-asan:
	$(MAKE) BUILD=build/asan CC=clang CFLAGS="$(sanitize)" check-units check-ganesha build/asan/nhfsstone
	NHFSSTONE=$(abspath build/asan/nhfsstone) tests/tally tests/cli/options.bats tests/cli/signals.bats

# Slow: the unit tests that need no clock, and one run of the program with all its processes.
valgrind := valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible
check-valgrind: $(checks) $(BUILD)/nhfsstone
	CK_FORK=no CK_DEFAULT_TIMEOUT=0 CHECK_UNDER="$(valgrind)" tests/tally \
	    $(filter-out %check_rpc_xprt_tcp %check_rpc_xprt_udp %check_rpc_xprt %check_child %check_loopback_server %check_loopback_dir \
	    %check_schedule %check_ramp %check_loopback_rpc %check_mix_cut %check_nfsstat %check_nfsstat_samples,$(checks))
	rm -f $(BUILD)/valgrind.*.log
	# Status 1 is LATE, which valgrind makes it. What counts is that no process of the run had an error to report.
	$(valgrind) --trace-children=yes --log-file=$(BUILD)/valgrind.%p.log $(BUILD)/nhfsstone --loopback -q -p 3 -l 100 -c 100 \
	    -w 0 --files 20 -m sfs3 || [ $$? -eq 1 ]
	! grep -h '^==' $(BUILD)/valgrind.*.log

# Fuzz targets (libFuzzer): each runs for FUZZ_SECONDS on a copy of its seeds. What one finds becomes a file in
# tests/fuzz/NAME/, which it starts with from then on.
FUZZ_SECONDS ?= 60
fuzz_flags   := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
fuzzers      := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

$(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c $(objects)
	$(say)$(CC) $(cflags) $(warnings) -fsanitize=fuzzer -o $@ $< $(objects) $(libs)

.PHONY: fuzz-smoke
fuzz-smoke:
	$(MAKE) BUILD=build/fuzz CC=clang CFLAGS="$(fuzz_flags)" $(fuzzers:%=build/fuzz/fuzz_%)
	FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/fuzz $(fuzzers)

test: all lint
	tests/summary check check-asan check-valgrind fuzz-smoke

# ---- other checks ----

c_files := $(wildcard *.[ch] tests/*.[ch] tests/ganesha/*.c tests/fuzz/*.c bench/*.c)
scripts := quickstart .ci/run tests/tally tests/summary tests/ganesha/with-ganesha tests/fuzz/fuzz bench/bench $(wildcard examples/*.sh)

.PHONY: lint
lint: $(BUILD)/gen/nfs_prot.h
	clang-format --dry-run -Werror $(c_files)
	# ctuuninitvar takes a pointer to a variable that is about to be filled in for a use of it.
	cppcheck -q --error-exitcode=1 --std=c11 --enable=warning,portability,performance --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=ctuuninitvar -I. $(wildcard *.c)
	printf '%s\n' $(wildcard *.c) | xargs -P 2 -n 4 sh -c 'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- \
	    -std=c11 -D_GNU_SOURCE -DVERSION="\"x\"" -I. -I$(BUILD)/gen $(shell pkg-config --cflags $(packages)) \
	    2>$(BUILD)/clang-tidy.log || { cat $(BUILD)/clang-tidy.log; exit 1; }' tidy
	mandoc -Tlint -Wwarning man/nhfsstone.1
	shellcheck $(scripts)
	shellcheck -s bash tests/cli/common.bash

.PHONY: coverage
coverage:
	$(MAKE) BUILD=build/coverage CFLAGS="-O0 -g --coverage" LDFLAGS=--coverage check-units check-ganesha \
	    build/coverage/nhfsstone
	NHFSSTONE=$(abspath build/coverage/nhfsstone) tests/tally tests/cli/*.bats
	lcov -q --capture --directory build/coverage --output-file build/coverage/all.info
	lcov -q --extract build/coverage/all.info '$(CURDIR)/*.c' --output-file build/coverage/ours.info
	lcov -q --remove build/coverage/ours.info '*/tests/*' --output-file build/coverage/ours.info
	lcov --list build/coverage/ours.info

.PHONY: bench
bench: $(BUILD)/nhfsstone
	NHFSSTONE=$(abspath $(BUILD)/nhfsstone) bench/bench

# ---- installation ----

.PHONY: install
install: $(BUILD)/nhfsstone
	install -D -m 755 $(BUILD)/nhfsstone $(DESTDIR)$(PREFIX)/bin/nhfsstone
	install -D -m 644 man/nhfsstone.1 $(DESTDIR)$(PREFIX)/share/man/man1/nhfsstone.1
	install -d $(DESTDIR)$(PREFIX)/share/doc/nhfsstone/examples
	install -m 644 README.md $(DESTDIR)$(PREFIX)/share/doc/nhfsstone/
	install -m 644 schema/nhfsstone-1.json $(DESTDIR)$(PREFIX)/share/doc/nhfsstone/
	install -m 644 examples/*.mix examples/*.disclosure $(DESTDIR)$(PREFIX)/share/doc/nhfsstone/examples/
	install -m 755 examples/*.sh $(DESTDIR)$(PREFIX)/share/doc/nhfsstone/examples/

.PHONY: clean
clean:
	rm -rf build nhfsstone

-include $(wildcard $(BUILD)/*.d $(BUILD)/tests/*.d)
