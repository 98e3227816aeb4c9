# GNU make. `make help` lists what there is.

BUILD  ?= build
CC     ?= gcc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local

VERSION  := 0.1.0
warnings := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef -Werror
packages := libtirpc gsl
cflags    = -std=c11 -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -MMD -MP -I. -I$(BUILD)/gen \
            $(shell pkg-config --cflags $(packages)) $(CFLAGS)
libs      = $(shell pkg-config --libs $(packages)) -lm

sources := $(filter-out nhfsstone.c,$(wildcard *.c))
objects := $(sources:%.c=$(BUILD)/%.o) $(BUILD)/nfs_prot_xdr.o
checks  := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/check_*.c))

.PHONY: all
all: $(BUILD)/nhfsstone

$(BUILD)/nhfsstone: $(BUILD)/nhfsstone.o $(objects)
	$(CC) $(cflags) $(LDFLAGS) -o $@ $^ $(libs)
	@[ "$(BUILD)" != build ] || ln -sf build/nhfsstone nhfsstone

$(BUILD)/gen/nfs_prot.h: nfs_prot.x
	@mkdir -p $(@D)
	rpcgen -h $< >$@.new && mv $@.new $@

$(BUILD)/gen/nfs_prot_xdr.c: nfs_prot.x
	@mkdir -p $(@D)
	rpcgen -c $< >$@.new && mv $@.new $@

# rpcgen's own code is not held to our warnings.
$(BUILD)/nfs_prot_xdr.o: $(BUILD)/gen/nfs_prot_xdr.c $(BUILD)/gen/nfs_prot.h
	$(CC) $(cflags) -w -c -o $@ $<

$(BUILD)/%.o: %.c | $(BUILD)/gen/nfs_prot.h
	@mkdir -p $(@D)
	$(CC) $(cflags) $(warnings) -c -o $@ $<

$(BUILD)/tests/%: tests/%.c $(objects)
	@mkdir -p $(@D)
	$(CC) $(cflags) $(warnings) $(shell pkg-config --cflags check) $(LDFLAGS) -o $@ $< $(objects) $(libs) \
	    $(shell pkg-config --libs check)

.PHONY: clean
clean:
	rm -rf build nhfsstone

-include $(wildcard $(BUILD)/*.d $(BUILD)/tests/*.d)
