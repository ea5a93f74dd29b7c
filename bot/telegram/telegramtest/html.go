package telegramtest

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf16"
)

// Entity is a formatted part of a message's text.
type Entity struct {
	Tag  string // b, i, a, blockquote, tg-time, …
	Text string
	URL  string // target of an a tag
}

// known are the tags that need no attribute (https://core.telegram.org/bots/api#html-style).
var known = map[string]bool{"b": true, "strong": true, "i": true, "em": true, "u": true, "s": true, "code": true, "pre": true, "blockquote": true, "a": true, "tg-time": true}

// moment matches the attributes of a tg-time tag
// (https://core.telegram.org/bots/api#date-time-entity-formatting).
var moment = regexp.MustCompile(`^unix="[0-9]+"( format="(r|w?[dD]?[tT]?)")?$`)

// parseHTML parses Telegram's HTML: a few tags, which must be closed, and four named entities.
func parseHTML(src string) (text string, entities []Entity, err error) {
	type open struct {
		tag, url string
		from     int
	}
	var out strings.Builder
	var stack []open
	for src != "" {
		switch {
		case src[0] == '<':
			tag, rest, closed := strings.Cut(src[1:], ">")
			if !closed {
				return "", nil, fmt.Errorf("unclosed tag")
			}
			src = rest
			if name, ending := strings.CutPrefix(tag, "/"); ending {
				if len(stack) == 0 || stack[len(stack)-1].tag != name {
					return "", nil, fmt.Errorf("unexpected </%s>", name)
				}
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if inside := out.String()[top.from:]; inside != "" {
					entities = append(entities, Entity{top.tag, inside, top.url})
				}
				continue
			}
			name, attributes, _ := strings.Cut(tag, " ")
			url := ""
			if v, ok := strings.CutPrefix(attributes, `href="`); ok && name == "a" {
				url = html.UnescapeString(strings.TrimSuffix(v, `"`))
			} else if name == "tg-time" {
				if !moment.MatchString(attributes) {
					return "", nil, fmt.Errorf("a time with attributes %q", attributes)
				}
			} else if attributes != "" {
				return "", nil, fmt.Errorf("attributes %q", attributes)
			}
			if !known[name] {
				return "", nil, fmt.Errorf("unsupported tag %q", name)
			}
			stack = append(stack, open{name, url, out.Len()})
		case src[0] == '&':
			name, rest, closed := strings.Cut(src, ";")
			if !closed || !strings.HasPrefix(name, "&#") && name != "&lt" && name != "&gt" && name != "&amp" && name != "&quot" {
				return "", nil, fmt.Errorf("a bare &")
			}
			out.WriteString(html.UnescapeString(name + ";"))
			src = rest
		default:
			n := strings.IndexAny(src, "<&")
			if n < 0 {
				n = len(src)
			}
			out.WriteString(src[:n])
			src = src[n:]
		}
	}
	if len(stack) > 0 {
		return "", nil, fmt.Errorf("no end of <%s>", stack[len(stack)-1].tag)
	}
	return out.String(), entities, nil
}

// units returns the length of a text in UTF-16 code units, as the apps count it.
func units(s string) int { return len(utf16.Encode([]rune(s))) }
