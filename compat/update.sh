#!/bin/sh
# Usage: compat/update.sh VERSION...
# For each version of k8s.io/*, writes the modfile k8s-vMAJOR.MINOR.mod and its
# .sum afresh from the root's go.mod: the same requirements, with k8s.io/api,
# apimachinery and component-helpers raised to that version. go.mod itself is
# not touched.
set -eu
cd "$(dirname "$0")/.."
for version; do
	name=compat/k8s-${version%.*}
	cp go.mod "$name.mod"
	cp go.sum "$name.sum"
	go mod edit \
		-require="k8s.io/api@$version" \
		-require="k8s.io/apimachinery@$version" \
		-require="k8s.io/component-helpers@$version" \
		"$name.mod"
	go mod tidy -modfile="$name.mod"
done
