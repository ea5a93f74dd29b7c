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

// Avatar returns the address of a person's avatar, which may be animated there: this is its first picture.
// https://discord.com/developers/docs/reference#image-formatting
func Avatar(person, hash string) string {
	if hash == "" || len(hash) > 64 || strings.Trim(person+hash, "0123456789abcdef_") != "" {
		return ""
	}
	return "https://cdn.discordapp.com/avatars/" + person + "/" + hash + ".png?size=128"
}
