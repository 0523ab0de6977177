# make ci      lint, test and compat: what must hold before a merge
# make lint    gofmt, go vet and staticcheck in every module
# make test    the tests of every module; the root's once more under -race
# make compat  the root's tests with newer k8s.io/* (compat/*.mod)
# make bench   benchmarks of the root and of conformance/
# make bench-match  the table of BENCHMARKS.md for Match, beside the reference
# make fuzz    every fuzz target of the root for FUZZTIME each
#
# A directory with a go.mod is a module; all are found, none is listed here.

FUZZTIME            ?= 10s
BENCH               ?= .
BENCHFLAGS          ?=
TESTFLAGS           ?=
TIMEOUT             ?= 10m
CONFORMANCE_TIMEOUT ?= 30m
# A modfile is named after the minor version: compat/k8s-v0.35.mod.
COMPAT_VERSIONS     := v0.35.10 v0.37.2

# tools/ pins programs and holds no package, so there is nothing to vet or test.
MODULES  := $(patsubst ./%,%,$(sort $(shell find . \( -name '.?*' -o -name testdata -o -name node_modules \) -prune -o -name go.mod -exec dirname {} \;)))
NESTED   := $(filter-out . tools,$(MODULES))
MODFILES := $(sort $(wildcard compat/*.mod))
TIMED    := $(CURDIR)/.ci/timed
GOTEST   := $(CURDIR)/.ci/gotest

# Nothing built here is shipped, and stamping a version fails in a checkout
# that another user owns. A workspace would replace the versions under test.
GOFLAGS += -buildvcs=false
export GOFLAGS
export GOWORK = off

LINT_NESTED := $(addprefix lint/,$(NESTED))
TEST_NESTED := $(addprefix test/,$(NESTED))
COMPAT      := $(MODFILES:.mod=)

.DEFAULT_GOAL := ci
.NOTPARALLEL:
.PHONY: ci lint gofmt lint-root $(LINT_NESTED) test test-root test-race $(TEST_NESTED) \
	compat $(COMPAT) compat-update bench bench-match fuzz bin/staticcheck bin/benchstat

ci: lint test compat

lint: gofmt bin/staticcheck lint-root $(LINT_NESTED)

gofmt:
	@files=$$(gofmt -l .) && { test -z "$$files" || { echo "not formatted by gofmt:"; echo "$$files"; exit 1; }; }

lint-root: bin/staticcheck
	@$(TIMED) 'vet .' go vet ./...
	@$(TIMED) 'staticcheck .' $(CURDIR)/bin/staticcheck ./...

$(LINT_NESTED): lint/%: bin/staticcheck
	@cd $* && $(TIMED) 'vet $*' go vet ./...
	@cd $* && $(TIMED) 'staticcheck $*' $(CURDIR)/bin/staticcheck ./...

test: test-root test-race $(TEST_NESTED)

test-root:
	@$(TIMED) 'test .' $(GOTEST) -timeout $(TIMEOUT) $(TESTFLAGS) ./...

# Not with -short: with a fifth of the cases, generators miss the rare branches
# that they are asked to reach. The detector needs a C compiler; without one the
# step says so and passes.
test-race:
	@if test "$$(go env CGO_ENABLED)" = 1; then \
		$(TIMED) 'test . -race' go test -count=1 -race -timeout $(TIMEOUT) $(TESTFLAGS) ./...; \
	else \
		echo; echo '==> test . -race: skipped, no C compiler'; \
	fi

test/conformance: TIMEOUT = $(CONFORMANCE_TIMEOUT)
$(TEST_NESTED): test/%:
	@cd $* && $(TIMED) 'test $*' $(GOTEST) -timeout $(TIMEOUT) $(TESTFLAGS) ./...

compat: $(COMPAT)

# -mod=readonly: a test run must not repair a modfile.
$(COMPAT):
	@$(TIMED) '$@ follows go.mod' compat/check.sh $@.mod
	@$(TIMED) 'test $@' $(GOTEST) -mod=readonly -modfile=$@.mod -timeout $(TIMEOUT) $(TESTFLAGS) ./...

compat-update:
	compat/update.sh $(COMPAT_VERSIONS)

bench: bin/benchstat
	go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $(BENCHFLAGS) ./...
	@if test -f conformance/go.mod; then \
		cd conformance && go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $(BENCHFLAGS) ./...; \
	fi

# Both sides in one run, and eight of those, since machines are noisy.
bench-match: bin/benchstat
	cd conformance && go test -run '^$$' -bench Match -benchmem -count 8 -timeout 60m . >../bin/match.txt
	bin/benchstat -col /side -row /template bin/match.txt

fuzz:
	@.ci/fuzz $(FUZZTIME)

# Always asked for: go build knows best whether the program is out of date.
bin/staticcheck:
	@cd tools && go build -o ../bin/ honnef.co/go/tools/cmd/staticcheck

bin/benchstat:
	@cd tools && go build -o ../bin/ golang.org/x/perf/cmd/benchstat
