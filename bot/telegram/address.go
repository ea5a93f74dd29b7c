package telegram

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"sedmabot/bot/chat"
)

const prefix = "telegram:"

// chatID returns the id of a chat, or of a topic in it if topic isn't 0.
func chatID(peer, topic int64) string {
	if topic != 0 {
		return fmt.Sprintf("%s%d/%d", prefix, peer, topic)
	}
	return fmt.Sprintf("%s%d", prefix, peer)
}

// parseChat parses the id of a chat, a topic or a person.
func parseChat(id string) (peer, topic int64, ok bool) {
	return two(id, "/")
}

// targetChat returns the chat of a target, and its topic or 0.
func targetChat(to chat.Target) (peer, topic int64, ok bool) {
	if to.Player != "" {
		peer, topic, ok = parseChat(to.Player)
		return peer, threadOf(to.Topic), ok && peer > 0 && topic == 0
	}
	return parseChat(to.Chat)
}

// address returns the address of a message: its chat and its number there.
func address(peer, message int64) chat.Address {
	return chat.Address(fmt.Sprintf("%s%d:%d", prefix, peer, message))
}

// photoAddress returns the address of a photo message.
func photoAddress(peer, message int64) chat.Address {
	return chat.Address(fmt.Sprintf("%s%d:%s%d", prefix, peer, photoMark, message))
}

// photoMark is the prefix of a photo message's number in its address.
const photoMark = "p"

func isPhoto(a chat.Address) bool { return strings.Contains(string(a), ":"+photoMark) }

// mayBePhoto reports whether a message may show a picture: its address says so, but for inline messages.
func mayBePhoto(a chat.Address) bool {
	_, inline := parseInline(string(a))
	return inline || isPhoto(a)
}

func parseAddress(a chat.Address) (peer, message int64, ok bool) {
	peer, message, ok = two(strings.Replace(string(a), ":"+photoMark, ":", 1), ":")
	return peer, message, ok && message != 0
}

// inlineMark is the prefix of an inline message's id: a message that a person has posted for the bot in a chat where the
// bot needn't be. It is a chat of its own, since Telegram doesn't say which chat it is in, or says it only in a guest
// message, where the chat's id may be that of another chat (https://core.telegram.org/bots/api#message).
const inlineMark = "i"

// inlineChat returns the id of an inline message as a chat, and also as an address. It returns "" if the message's id has
// an unknown form.
func inlineChat(message string) string {
	if message == "" || len(message) > maxInlineID || strings.Trim(message, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") != "" {
		return ""
	}
	return prefix + inlineMark + message
}

// maxInlineID is the length of the longest id of an inline message that the bot takes. Telegram's are about 30 long.
const maxInlineID = 128

// parseInline parses what inlineChat returned.
func parseInline(id string) (message string, ok bool) {
	message, ok = strings.CutPrefix(id, prefix+inlineMark)
	return message, ok && inlineChat(message) != ""
}

// inlinePeer returns the number under which the rate limits count an inline message. It stands for a group.
func inlinePeer(message string) int64 {
	h := fnv.New64a()
	h.Write([]byte(message))
	return -1 - int64(h.Sum64()>>2)
}

// two parses one or two numbers after the prefix.
func two(s, separator string) (first, second int64, ok bool) {
	s, ok = strings.CutPrefix(s, prefix)
	if !ok {
		return 0, 0, false
	}
	left, right, more := strings.Cut(s, separator)
	first, err := strconv.ParseInt(left, 10, 64)
	if err != nil || first == 0 {
		return 0, 0, false
	}
	if more {
		if second, err = strconv.ParseInt(right, 10, 64); err != nil || second <= 0 {
			return 0, 0, false
		}
	}
	return first, second, true
}
