package programtest

// The smallest objects that a program takes, in YAML.
const (
	MinimalNode = "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n"
	MinimalSet  = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      containers:
      - name: agent
        image: registry.example/agent:1
`
)
