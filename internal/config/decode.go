package config

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
)

// decodeText converts the text of a setting, from the file or the environment, to the type of the setting. Numbers are
// decimal: 010 is ten; 0x1F, 1e3 and 1.5 are errors.
func decodeText(from, to reflect.Type, data any) (any, error) {
	text, ok := data.(string)
	switch {
	case !ok && to.Kind() == reflect.String && from.Kind() != reflect.String:
		return nil, errors.New("expected a single value; write it in quotation marks if it begins with [ or {")
	case !ok:
		return data, nil
	case to.Kind() == reflect.Struct:
		return nil, errors.New("expected a section with settings, got a single value") // The value may be a password.
	}
	var value any = text
	var err error
	expected := ""
	switch {
	case to == reflect.TypeFor[time.Duration]():
		expected = "a time with its unit, such as 60s, 1m or 24h"
		value, err = time.ParseDuration(text)
	case to.Kind() == reflect.Bool:
		expected = "true or false"
		value, err = strconv.ParseBool(strings.ToLower(text))
	case to.Kind() == reflect.Int || to.Kind() == reflect.Int64:
		expected = "a whole number, such as 60"
		value, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("expected %s, got %q", expected, text)
	}
	return value, nil
}

// formatDecodeError shortens an error of the decoder to the setting and the cause, for example
// "imap: poll_interval: expected a time with its unit".
func formatDecodeError(err error) error {
	var decodeErr *mapstructure.DecodeError
	if !errors.As(err, &decodeErr) {
		return err
	}
	return fmt.Errorf("%s: %w", strings.ReplaceAll(decodeErr.Name(), ".", ": "), decodeErr.Unwrap())
}
