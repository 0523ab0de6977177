package output

import (
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"
)

// Document prints a report as one document of the format, "json" or "yaml".
func Document(w io.Writer, format string, report any) error {
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if format == "yaml" {
		if text, err = yaml.JSONToYAML(text); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		_, err = w.Write(text)
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
