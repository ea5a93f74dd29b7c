package telegramtest

import (
	"encoding/json"
	"net/url"
	"strings"
	"unicode/utf8"
)

// keyboard parses an inline keyboard. https://core.telegram.org/bots/api#inlinekeyboardbutton
func (s *Server) keyboard(method string, c *Chat, data string) ([][]Button, *refusal) {
	if data == "" {
		return nil, nil
	}
	var markup struct {
		Rows [][]sentButton `json:"inline_keyboard"`
	}
	if err := json.Unmarshal([]byte(data), &markup); err != nil {
		s.problem("%s: keyboard: %v", method, err)
		return nil, bad("can't parse reply keyboard markup JSON object")
	}
	var out [][]Button
	total := 0
	for _, row := range markup.Rows {
		var buttons []Button
		for _, b := range row {
			total++
			button, refused := s.button(method, c, b)
			if refused != nil {
				return nil, refused
			}
			switch b.Style {
			case "", "danger", "success", "primary":
			default:
				s.problem("%s: button %q: style %q", method, b.Text, b.Style)
			}
			buttons = append(buttons, button)
		}
		if len(buttons) < 1 || len(buttons) > 8 {
			s.problem("%s: a row of %d buttons", method, len(buttons))
		}
		out = append(out, buttons)
	}
	if total > 100 {
		s.problem("%s: %d buttons", method, total)
	}
	return out, nil
}

// sentButton is a button of an inline keyboard as the bot sends it (https://core.telegram.org/bots/api#inlinekeyboardbutton).
type sentButton struct {
	Text string  `json:"text"`
	Data *string `json:"callback_data"`
	URL  *string `json:"url"`
	Copy *struct {
		Text string `json:"text"`
	} `json:"copy_text"`
	App *struct {
		URL string `json:"url"`
	} `json:"web_app"`
	Share *struct {
		Query string `json:"query"`
	} `json:"switch_inline_query_chosen_chat"`
	Style    string    `json:"style"`
	Disabled *struct{} `json:"disabled"`
}

// kinds returns how many of the fields are set that say what a button does. There must be exactly one.
func (b sentButton) kinds() (n int) {
	for _, set := range []bool{b.Data != nil, b.URL != nil, b.Copy != nil, b.App != nil, b.Share != nil, b.Disabled != nil} {
		if set {
			n++
		}
	}
	return n
}

// button checks a button and returns it as people see it.
func (s *Server) button(method string, c *Chat, b sentButton) (button Button, refused *refusal) {
	button = Button{Label: b.Text, Style: b.Style}
	switch {
	case strings.TrimSpace(b.Text) == "":
		s.problem("%s: a button without a label", method)
		return Button{}, bad("BUTTON_TEXT_INVALID")
	case b.Disabled != nil && s.Ephemerals != EphemeralsNow: // a server before 10.3 doesn't know the field
		return Button{}, bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
	case b.kinds() != 1:
		s.problem("%s: button %q: exactly one of callback_data, url, web_app, copy_text, switch_inline_query_chosen_chat and disabled", method, b.Text)
		return Button{}, bad("text buttons are unallowed in the inline keyboard")
	case b.Disabled != nil: // https://core.telegram.org/bots/api#disabledbutton
		button.Disabled = true
	case b.Copy != nil: // https://core.telegram.org/bots/api#copytextbutton
		button.Copy = b.Copy.Text
		if n := utf8.RuneCountInString(b.Copy.Text); n < 1 || n > 256 {
			s.problem("%s: button %q: a text of %d characters to copy", method, b.Text, n)
			return Button{}, bad("BUTTON_COPY_TEXT_INVALID")
		}
	case b.App != nil:
		if c == nil || c.person == nil || !strings.HasPrefix(b.App.URL, "https://") {
			s.problem("%s: button %q: a Mini App in a group, or without https", method, b.Text)
			return Button{}, bad("BUTTON_TYPE_INVALID")
		}
		button.App = b.App.URL
	case b.Share != nil:
		if !s.Inline || b.Share.Query == "" {
			s.problem("%s: button %q: the bot has no inline mode, or asks for nothing", method, b.Text)
			return Button{}, bad("BUTTON_TYPE_INVALID")
		}
	case b.Data != nil:
		button.Data = *b.Data
		if n := len(*b.Data); n < 1 || n > 64 {
			s.problem("%s: button %q: %d bytes of callback_data", method, b.Text, n)
			return Button{}, bad("BUTTON_DATA_INVALID")
		}
	case !leads(*b.URL, s.Username):
		s.problem("%s: button %q: address %q", method, b.Text, *b.URL)
		return Button{}, bad("BUTTON_URL_INVALID")
	default:
		button.URL = *b.URL
	}
	return button, nil
}

// leads reports whether a button may open an address. Of Telegram's own addresses, only those of the bot are expected.
func leads(address, bot string) bool {
	if own, ok := strings.CutPrefix(address, "https://t.me/"); ok {
		rest, ok := strings.CutPrefix(own, bot)
		return ok && (strings.HasPrefix(rest, "?start=") || rest == "?startgroup" || strings.HasPrefix(rest, "/") && strings.Contains(rest, "?startapp="))
	}
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}
