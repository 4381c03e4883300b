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

// fromText decodes the text of a setting, from the file or the environment, to the type of the setting. Numbers are
// decimal: 010 is ten; 0x1F, 1e3 and 1.5 are errors. Errors contain no value, because it may be a password.
func fromText(from, to reflect.Type, data any) (any, error) {
	text, ok := data.(string)
	switch {
	case !ok && to.Kind() == reflect.String && from.Kind() != reflect.String:
		return nil, errors.New("write one value, in quotation marks if it begins with [ or {")
	case !ok:
		return data, nil
	case to.Kind() == reflect.Struct:
		return nil, errors.New("it has settings below it, and no value of its own")
	}
	var value any = text
	var err error
	problem := ""
	switch {
	case to == reflect.TypeFor[time.Duration]():
		problem = "no time with its unit, such as 60s, 1m or 24h"
		value, err = time.ParseDuration(text)
	case to.Kind() == reflect.Bool:
		problem = "neither true nor false"
		value, err = strconv.ParseBool(strings.ToLower(text))
	case to.Kind() == reflect.Int || to.Kind() == reflect.Int64:
		problem = "no whole number, such as 60"
		value, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is %s", text, problem)
	}
	return value, nil
}

// plainDecodeError returns an error with the first setting that cannot be decoded, for example "imap: poll_interval:
// ...".
func plainDecodeError(err error) error {
	var decodeErr *mapstructure.DecodeError
	if !errors.As(err, &decodeErr) {
		return err
	}
	return fmt.Errorf("%s: %w", strings.ReplaceAll(decodeErr.Name(), ".", ": "), decodeErr.Unwrap())
}
