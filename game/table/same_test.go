package table_test

import (
	"reflect"
	"testing"

	"sedmabot/game/table"
)

// Seats that differ in anything are not the same.
func TestSeatsAreTheSame(t *testing.T) {
	t.Parallel()
	was, now := table.Seat{Against: []string{"a"}}, table.Seat{Against: []string{"a"}}
	if !was.Same(now) {
		t.Error("equal seats aren't the same")
	}
	fields := 0
	var each func(v reflect.Value, name string)
	each = func(v reflect.Value, name string) {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				each(v.Field(i), name+" "+v.Type().Field(i).Name)
			}
			return
		}
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		switch v.Kind() {
		case reflect.String:
			v.SetString("other")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int:
			v.SetInt(1)
		case reflect.Slice:
			v.Set(reflect.ValueOf([]string{"b"}))
		default:
			t.Fatalf("%s is a %v", name, v.Kind())
		}
		fields++
		if was.Same(now) || now.Same(was) {
			t.Errorf("another%s doesn't matter", name)
		}
		v.Set(before)
	}
	each(reflect.ValueOf(&now).Elem(), "")
	if fields < 18 {
		t.Errorf("only %d fields were changed", fields)
	}
}
