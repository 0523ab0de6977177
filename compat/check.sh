#!/bin/sh
# Usage: compat/check.sh MODFILE
# Fails, with a diff, when a modfile no longer follows the root module: when a
# requirement or an import was added, dropped or raised there. Works on a copy,
# so nothing in the tree changes. It starts from the modfile and not from
# go.mod, as tidy may choose the newest release of a module that only a
# dependency's tests need, and that choice must not change by itself.
set -eu
cd "$(dirname "$0")/.."
name=${1%.mod}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$name.mod" "$dir/copy.mod"
cp "$name.sum" "$dir/copy.sum"
direct=$(go list -mod=readonly -m -f '{{if not (or .Main .Indirect)}}{{.Path}}@{{.Version}}{{end}}' all)
for requirement in $direct; do
	case $requirement in
	k8s.io/*) ;;
	*) go mod edit -require="$requirement" "$dir/copy.mod" ;;
	esac
done
go mod tidy -modfile="$dir/copy.mod"
for ext in mod sum; do
	git --no-pager diff --no-index --exit-code "$name.$ext" "$dir/copy.$ext" || {
		echo "$name.$ext does not follow go.mod and the imports: run make compat-update" >&2
		exit 1
	}
done
