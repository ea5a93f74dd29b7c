package message

import "strings"

// Prefix is the first part of every id and address of this platform.
const Prefix = "discord:"

// Snowflake removes a prefix from one of Discord's ids. It reports false if the prefix is
// missing or the rest is not an id.
func Snowflake(id, before string) (string, bool) {
	digits, ok := strings.CutPrefix(id, before)
	return digits, ok && digits != "" && len(digits) <= 20 && strings.Trim(digits, "0123456789") == ""
}
