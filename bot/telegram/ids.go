package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"sedmabot/bot/chat"
)

const prefix = "telegram:"

// chatID is the id of a chat, or of a topic in it when topic is not 0.
func chatID(peer, topic int64) string {
	if topic != 0 {
		return fmt.Sprintf("%s%d/%d", prefix, peer, topic)
	}
	return fmt.Sprintf("%s%d", prefix, peer)
}

// parseChat reads the id of a chat, a topic or a person.
func parseChat(id string) (peer, topic int64, ok bool) {
	return two(id, "/")
}

// targetChat is the chat behind a target, with its topic or 0.
func targetChat(to chat.Target) (peer, topic int64, ok bool) {
	if to.Player != "" {
		peer, topic, ok = parseChat(to.Player)
		return peer, 0, ok && peer > 0 && topic == 0
	}
	return parseChat(to.Chat)
}

// address is where a message stands: the chat and the message's number in it.
func address(peer, message int64) chat.Address {
	return chat.Address(fmt.Sprintf("%s%d:%d", prefix, peer, message))
}

// photoAddress is where a photo stands.
func photoAddress(peer, message int64) chat.Address {
	return chat.Address(fmt.Sprintf("%s%d:%s%d", prefix, peer, photoMark, message))
}

// photoMark stands before the number of a message that is a photo.
const photoMark = "p"

func isPhoto(a chat.Address) bool { return strings.Contains(string(a), ":"+photoMark) }

func parseAddress(a chat.Address) (peer, message int64, ok bool) {
	peer, message, ok = two(strings.Replace(string(a), ":"+photoMark, ":", 1), ":")
	return peer, message, ok && message != 0
}

// two reads one or two numbers after the prefix.
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
