# Every target is for people and for CI alike. Tools are built once into
# .tools, at the versions below; remove the folder to build them again.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GOLANGCI_LINT := .tools/golangci-lint-v2.15.0
GOVULNCHECK   := .tools/govulncheck-v1.9.0
HELM          := .tools/helm-v3.19.0
WITHMYSQL     := .tools/withmysql

# -count=1: a cached result says nothing about the database.
# -shuffle=on: no test may lean on another.
# -timeout: per package; the slowest kill and restart the real process.
GO_TEST := go test -count=1 -shuffle=on -timeout=20m

.PHONY: help
help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## Run the server with a demo company on an embedded database
	go run ./cmd/server

.PHONY: test
test: requirements $(WITHMYSQL) ## Run every test; installs what is missing
	$(WITHMYSQL) $(GO_TEST) ./...

.PHONY: test-quick
test-quick: ## Run the tests on SQLite only, without a browser
	$(GO_TEST) -short ./...

.PHONY: test-race
test-race: requirements $(WITHMYSQL) ## Run every test under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(WITHMYSQL) $(GO_TEST) -race ./...

# Each fault goes on for FAULTS_FOR; VIENKART_FAULTS_SEED draws those of an earlier run again. Kills at statements end by themselves.
FAULTS_FOR ?= 90s
FAULT_TEST = VIENKART_FAULTS=$(FAULTS_FOR) $(WITHMYSQL) go test -count=1 -timeout=2h -v
QUIETLY = grep --line-buffered -v -E '^(=== |\s*--- PASS)'

.PHONY: test-faults
test-faults: requirements $(WITHMYSQL) ## Break servers, databases, networks, disks and clocks under load, and kill at each statement; half an hour
	$(FAULT_TEST) ./internal/httpapi/faults | $(QUIETLY)
	$(FAULT_TEST) -run=TestKilledAtEveryStatement ./internal/httpapi/walk | $(QUIETLY)

.PHONY: test-galera
test-galera: ## Break a Galera cluster of three nodes under two servers; minutes; installs galera-4 as root
	internal/testkit/install.sh galera
	VIENKART_TEST_GALERA=1 go test -count=1 -timeout=15m -v ./internal/httpapi/galera

# Names of packages, for the lane of one engine.
ENGINE_PACKAGES ?= ./...

.PHONY: test-mysql
test-mysql: $(WITHMYSQL) ## Run the tests on a private MySQL, which Debian's unstable suite has (needs apt)
	internal/testkit/mysql.sh .tools/mysql
	VIENKART_TEST_MYSQLD=$(CURDIR)/.tools/mysql/mysqld internal/testkit/install.sh
	CI=1 VIENKART_TEST_MYSQLD=$(CURDIR)/.tools/mysql/mysqld $(WITHMYSQL) $(GO_TEST) $(ENGINE_PACKAGES)

.PHONY: test-mysql84
test-mysql84: $(WITHMYSQL) ## Run the tests on MySQL 8.4 in a container (needs a Docker engine)
	CI=1 VIENKART_TEST_MYSQL_CONTAINER=1 $(WITHMYSQL) $(GO_TEST) $(ENGINE_PACKAGES)

.PHONY: test-dsn
test-dsn: $(WITHMYSQL) ## Run the tests on the server of VIENKART_TEST_MYSQL_DSN, such as TiDB
	@[[ -n $${VIENKART_TEST_MYSQL_DSN:-} ]] || { echo "set VIENKART_TEST_MYSQL_DSN, such as root:password@tcp(127.0.0.1:4000)/" >&2; exit 1; }
	$(WITHMYSQL) $(GO_TEST) $(ENGINE_PACKAGES)

.PHONY: contract
contract: ## Print which operations of the wire contract are served, and which deviate
	go run ./internal/httpapi/contract/report -contract ../shared/contract/openapi.json

.PHONY: golden
golden: requirements $(WITHMYSQL) ## Rewrite the golden files; review the difference
	packages=$$(internal/testkit/golden.sh); $(WITHMYSQL) go test -count=1 -timeout=20m $$packages -update

.PHONY: fuzz
fuzz: ## Run each fuzz target for 60 seconds; FUZZ_PARALLEL=1 leaves room for others
	internal/testkit/fuzz.sh 60s

.PHONY: bench
bench: ## Measure against the database's own limit, a quarter of an hour; appends to bench/RESULTS.md
	go run ./bench -results bench/RESULTS.md

.PHONY: bench-books
bench-books: ## Measure returns, lists and trial balances of large books on MariaDB; half an hour
	go run ./bench -part returns,lists,balances -results bench/RESULTS.md

.PHONY: bench-growth
bench-growth: ## Measure whether the rate depends on what is stored, or on work beside; half an hour
	go run ./bench -part growth,dents -results bench/RESULTS.md

.PHONY: lint
lint: $(GOLANGCI_LINT) ## Check the code, which package imports which, and the dependencies
	$(GOLANGCI_LINT) run ./...
	go test -count=1 ./internal/tidy
	internal/testkit/vuln.sh $(GOVULNCHECK)

.PHONY: fmt
fmt: $(GOLANGCI_LINT) ## Format the code (gofumpt, import order)
	$(GOLANGCI_LINT) fmt ./...

.PHONY: vuln
vuln: $(GOVULNCHECK) ## Look for known vulnerabilities (needs the network)
	$(GOVULNCHECK) ./...

.PHONY: helm-lint
helm-lint: $(HELM) ## Check the Helm chart, and render it in both shapes (builds Helm the first time: minutes)
	$(HELM) lint --strict deploy/helm/vienkart
	$(HELM) template vienkart deploy/helm/vienkart >/dev/null
	$(HELM) template vienkart deploy/helm/vienkart --set autoscaling.enabled=true --set env.VIENKART_PUBLIC_URL=https://books.example.com >/dev/null

.PHONY: up
up: ## Start the server on MySQL with Docker Compose
	docker compose up --build --detach --wait

.PHONY: down
down: ## Stop it; the data stays in its volume
	docker compose down

.PHONY: requirements
requirements:
	@internal/testkit/install.sh

# Built each time, which costs nothing when it is current: "go run" would hide
# the exit code and not pass a termination on.
.PHONY: $(WITHMYSQL)
$(WITHMYSQL):
	@go build -o $@ ./internal/testkit/withmysql

# The version is in the name, so that a new one is built when it changes here.
$(GOLANGCI_LINT):
	GOBIN=$(CURDIR)/.tools go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
	mv .tools/golangci-lint $@

$(GOVULNCHECK):
	GOBIN=$(CURDIR)/.tools go install golang.org/x/vuln/cmd/govulncheck@v1.9.0
	mv .tools/govulncheck $@

$(HELM):
	GOBIN=$(CURDIR)/.tools go install helm.sh/helm/v3/cmd/helm@v3.19.0
	mv .tools/helm $@
