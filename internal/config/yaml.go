package config

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// textYAML reads a YAML file for viper, and keeps each value as text: "password: 0123" is 0123, not an octal number,
// and "name: null" is the word null. decodeText converts texts to numbers and times.
type textYAML struct{}

// Decoder implements viper.DecoderRegistry.
func (textYAML) Decoder(string) (viper.Decoder, error) { return textYAML{}, nil }

// Decode implements viper.Decoder.
func (textYAML) Decode(file []byte, into map[string]any) error {
	documents := yaml.NewDecoder(strings.NewReader(string(file)))
	var doc yaml.Node
	switch err := documents.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil // The file is empty.
	case err != nil:
		return err
	}
	if documents.Decode(new(yaml.Node)) == nil {
		return errors.New("yaml: the file has several documents: remove the lines that contain only ---")
	}
	if top := doc.Content[0]; top.Kind != yaml.MappingNode && top.Tag != "!!null" {
		return errors.New("yaml: expected settings such as \"data: samizdat-data\"")
	}
	if err := convertToText("", &doc); err != nil {
		return err
	}
	return doc.Decode(&into)
}

// convertToText makes every value below a node a string. It converts keys to lower case, so that the YAML decoder
// refuses a key that is repeated in upper case.
func convertToText(key string, n *yaml.Node) error {
	switch {
	case n.Kind == yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			name, value := n.Content[i], n.Content[i+1]
			name.Value = strings.ToLower(name.Value)
			if value.Value == "" {
				value.LineComment += name.LineComment // In "password: #1" the comment belongs to the key.
			}
			if err := convertToText(name.Value, value); err != nil {
				return err
			}
		}
		return nil
	case n.Kind != yaml.ScalarNode:
		for _, c := range n.Content {
			if err := convertToText(key, c); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return newQuoteError(n, key, "in YAML a ! at the beginning is a tag")
	case n.Anchor != "" && n.Value == "":
		return newQuoteError(n, key, "in YAML a & at the beginning is an anchor")
	case n.Style == 0 && strings.HasSuffix(key, "password") && isCutByComment(n.LineComment):
		return newQuoteError(n, key, "in YAML a # begins a comment")
	case n.Style == 0 && n.Value == "":
		return nil // "operator:" has no value.
	}
	n.Tag = "!!str"
	return nil
}

// isCutByComment reports whether a comment may be the end of an unquoted password: true for "p #1", and false for
// "p # from the bank".
func isCutByComment(comment string) bool {
	return comment != "" && !strings.HasPrefix(comment, "# ")
}

// newQuoteError returns the error for a value that must be in quotation marks. It does not contain the value, which may
// be a password.
func newQuoteError(n *yaml.Node, key, reason string) error {
	return fmt.Errorf("yaml: line %d: %s: write the value in single quotation marks ('...'): %s", n.Line, key, reason)
}
