// The presence of an assembly file lets functions be declared without a body,
// which go:linkname needs.
