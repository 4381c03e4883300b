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
// decimal: 010 is ten; 0x1F, 1e3 and 1.5 are errors. No error shows a value, because it may be a password.
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
	what := ""
	switch {
	case to == reflect.TypeFor[time.Duration]():
		what = "no time with its unit, such as 60s, 1m or 24h"
		value, err = time.ParseDuration(text)
	case to.Kind() == reflect.Bool:
		what = "neither true nor false"
		value, err = strconv.ParseBool(strings.ToLower(text))
	case to.Kind() == reflect.Int || to.Kind() == reflect.Int64:
		what = "no whole number, such as 60"
		value, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is %s", text, what)
	}
	return value, nil
}

// plainDecodeError names the first setting that could not be decoded, as in "imap: poll_interval: ...".
func plainDecodeError(err error) error {
	var at *mapstructure.DecodeError
	if !errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("%s: %w", strings.ReplaceAll(at.Name(), ".", ": "), at.Unwrap())
}
