package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"sedmabot/bot"
)

const prefix = "telegram:"

// chatID is the id of a chat, or of a topic in it when topic is not 0.
func chatID(chat, topic int64) string {
	if topic != 0 {
		return fmt.Sprintf("%s%d/%d", prefix, chat, topic)
	}
	return fmt.Sprintf("%s%d", prefix, chat)
}

// parseChat reads the id of a chat, a topic or a person.
func parseChat(id string) (chat, topic int64, ok bool) {
	return two(id, "/")
}

// targetChat is the chat behind a target, with its topic or 0.
func targetChat(to bot.Target) (chat, topic int64, ok bool) {
	if to.Player != "" {
		chat, topic, ok = parseChat(to.Player)
		return chat, 0, ok && chat > 0 && topic == 0
	}
	return parseChat(to.Chat)
}

// address is where a message stands: the chat and the message's number in it.
func address(chat, message int64) bot.Address {
	return bot.Address(fmt.Sprintf("%s%d:%d", prefix, chat, message))
}

// photoAddress is where a photo stands.
func photoAddress(chat, message int64) bot.Address {
	return bot.Address(fmt.Sprintf("%s%d:%s%d", prefix, chat, photoMark, message))
}

// photoMark stands before the number of a message that is a photo.
const photoMark = "p"

func isPhoto(a bot.Address) bool { return strings.Contains(string(a), ":"+photoMark) }

func parseAddress(a bot.Address) (chat, message int64, ok bool) {
	chat, message, ok = two(strings.Replace(string(a), ":"+photoMark, ":", 1), ":")
	return chat, message, ok && message != 0
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
