package telegramtest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image/png"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// botID is the bot's id.
const botID = 123456789

func bad(text string) *refusal { return refuse(http.StatusBadRequest, "Bad Request: %s", text) }

// call runs every method except getUpdates. s.mu must be held.
func (s *Server) call(method string, p map[string]string) (any, *refusal) {
	switch method {
	case "getMe":
		return s.me(), nil
	case "setWebhook", "deleteWebhook", "getWebhookInfo":
		return s.webhookMethod(method, p)
	case "setMyCommands":
		return true, s.setCommands(p)
	case "getMyCommands", "getMyDescription", "getMyShortDescription": // earlier versions of the bot compare before they set
		return nil, nil
	case "setMyDescription", "setMyShortDescription":
		is := profile[method]
		if n := utf8.RuneCountInString(p[is.param]); n == 0 || n > is.limit {
			s.problem("%s: %d characters", method, n)
		}
		return true, nil
	case "sendMessage", "sendDocument", "sendPhoto":
		return s.send(method, p)
	case "editMessageText", "editMessageCaption", "editMessageMedia":
		m, refused := s.find(p, "edit")
		if refused != nil {
			return nil, refused
		}
		return s.edit(method, m, p)
	case "editEphemeralMessageText", "deleteEphemeralMessage":
		if s.Ephemerals == EphemeralsNever {
			return nil, refuse(http.StatusNotFound, "Not Found: method not found")
		}
		m, refused := s.findEphemeral(p)
		switch {
		case refused != nil:
			return nil, refused
		case method == "editEphemeralMessageText":
			return s.edit("editMessageText", m, p)
		}
		m.deleted = true
		return true, nil
	case "sendChatAction":
		if p["action"] != "typing" {
			s.problem("sendChatAction: %q", p["action"])
		}
		_, refused := s.reach(p)
		return refused == nil, refused
	case "setMessageReaction":
		return s.react(p)
	case "deleteMessage":
		m, refused := s.find(p, "delete")
		if refused != nil {
			return nil, refused
		}
		m.deleted = true
		s.chats[m.Chat].touched()
		return true, nil
	case "answerGuestQuery", "savePreparedInlineMessage":
		return s.newer(method, p)
	case "answerInlineQuery":
		return true, s.answerInline(p)
	case "answerCallbackQuery":
		return true, s.answer(p)
	case "getChatMember":
		return s.member(p)
	case "setChatMemberTag":
		return setTag(s, p)
	}
	s.problem("%s: a method that this server does not know", method)
	return nil, refuse(http.StatusNotFound, "Not Found: method not found")
}

// me returns the bot's account (https://core.telegram.org/bots/api#getme).
func (s *Server) me() map[string]any {
	return map[string]any{"id": botID, "is_bot": true, "first_name": "Sedma", "username": s.Username,
		"can_join_groups": !s.Alone, "can_read_all_group_messages": s.ReadsAll, "supports_inline_queries": s.Inline, "supports_guest_queries": s.Guests}
}

// newer runs the methods of the latest versions of the Bot API that create something.
func (s *Server) newer(method string, p map[string]string) (any, *refusal) {
	if method == "answerGuestQuery" {
		return s.answerGuest(p)
	}
	return s.prepare(p)
}

// profile has the parameters of the bot's descriptions, and their limits in characters.
// https://core.telegram.org/bots/api#setmydescription
var profile = map[string]struct {
	param string
	limit int
}{"setMyDescription": {"description", 512}, "setMyShortDescription": {"short_description", 120}}

// setCommands checks the limits of https://core.telegram.org/bots/api#botcommand and stores the commands.
func (s *Server) setCommands(p map[string]string) *refusal {
	var list []struct{ Command, Description string }
	if err := json.Unmarshal([]byte(p["commands"]), &list); err != nil || len(list) > 100 {
		s.problem("setMyCommands: %v, %d commands", err, len(list))
	}
	for _, c := range list {
		n := utf8.RuneCountInString(c.Description)
		if c.Command == "" || len(c.Command) > 32 || strings.Trim(c.Command, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || n < 1 || n > 256 {
			s.problem("setMyCommands: %q, %q", c.Command, c.Description)
		}
	}
	return nil
}

// reach returns the chat to which a call writes, or the refusal if the bot can't write there.
func (s *Server) reach(p map[string]string) (*Chat, *refusal) {
	id, err := strconv.ParseInt(p["chat_id"], 10, 64)
	c := s.chats[id]
	if message := p["inline_message_id"]; message != "" {
		c = s.inlines[message]
		if c == nil {
			return nil, bad("MESSAGE_ID_INVALID")
		}
		return c, nil
	}
	if err != nil || c == nil || c.inline != "" {
		return nil, bad("chat not found")
	}
	switch {
	case c.became != 0:
		return nil, &refusal{http.StatusBadRequest, "Bad Request: group chat was upgraded to a supergroup chat", 0, c.became}
	case c.mute:
		return nil, bad("not enough rights to send text messages to the chat")
	case c.person == nil:
	case c.person.blocked:
		return nil, refuse(http.StatusForbidden, "Forbidden: bot was blocked by the user")
	case !c.person.started:
		return nil, refuse(http.StatusForbidden, "Forbidden: bot can't initiate conversation with a user")
	}
	return c, nil
}

// content reads text and keyboard into m and checks their limits.
func (s *Server) content(method string, p map[string]string, m *Message) *refusal {
	limit := 4096
	m.HTML = p["text"]
	if method == "sendDocument" {
		m.HTML, m.File, limit = p["caption"], p["document"], 1024
		if name, data, _ := strings.Cut(m.File, "\n"); name == "" || data == "" {
			s.problem("%s: no file", method)
			return bad("there is no document in the request")
		}
	}
	mode := p["parse_mode"]
	switch method {
	case "sendPhoto":
		m.HTML, limit = p["caption"], 1024
		if refused := s.photo(method, p["photo"], p["photo"], m); refused != nil {
			return refused
		}
	case "editMessageCaption":
		m.HTML, limit = p["caption"], 1024
	case "editMessageMedia":
		var media struct{ Type, Media, Caption, Parse_mode string }
		if err := json.Unmarshal([]byte(p["media"]), &media); err != nil || media.Type != "photo" {
			s.problem("%s: %s", method, p["media"])
		}
		m.HTML, mode, limit = media.Caption, media.Parse_mode, 1024
		if refused := s.photo(method, media.Media, p[strings.TrimPrefix(media.Media, "attach://")], m); refused != nil {
			return refused
		}
	}
	m.Text, m.Entities = m.HTML, nil
	if mode == "HTML" {
		var err error
		if m.Text, m.Entities, err = parseHTML(m.HTML); err != nil {
			s.problem("%s: %v", method, err)
			return bad("can't parse entities: " + err.Error())
		}
	}
	if strings.TrimSpace(m.Text) == "" {
		s.problem("%s: no text", method)
		return bad("message text is empty")
	}
	if n := units(m.Text); n > limit {
		s.problem("%s: %d characters", method, n)
		return bad("message is too long")
	}
	if len(m.Entities) > 100 {
		s.problem("%s: %d entities", method, len(m.Entities))
	}
	var refused *refusal
	m.Buttons, refused = s.keyboard(method, s.chats[m.Chat], p["reply_markup"])
	return refused
}

func (s *Server) send(method string, p map[string]string) (any, *refusal) {
	c, refused := s.reach(p)
	if refused != nil {
		return nil, refused
	}
	m := &Message{Chat: c.ID, Silent: p["disable_notification"] == "true"}
	if refused := s.content(method, p, m); refused != nil {
		return nil, refused
	}
	to, refused := s.ephemeral(c, p)
	if refused != nil {
		return nil, refused
	}
	if thread, _ := strconv.ParseInt(p["message_thread_id"], 10, 64); c.closed[thread] && !c.manager {
		return nil, bad("TOPIC_CLOSED")
	}
	m.Thread, _ = strconv.ParseInt(p["message_thread_id"], 10, 64)
	if refused := s.inTopic(c, m); refused != nil {
		return nil, refused
	}
	if data := p["reply_parameters"]; data != "" {
		var to struct {
			ID int64 `json:"message_id"`
		}
		if err := json.Unmarshal([]byte(data), &to); err != nil || to.ID == 0 && p["ephemeral_message_parameters"] == "" {
			s.problem("sendMessage: reply_parameters %s", data)
		}
		m.ReplyTo = to.ID
	}
	if to != nil {
		c.lastEphemeral++
		m.Ephemeral, m.For = c.lastEphemeral, to.ID
	} else {
		c.lastID++
		m.ID = c.lastID
	}
	c.messages = append(c.messages, m)
	c.touched()
	return m.body(c), nil
}

// photo sets m's photo from a parameter: a file that came with the call, the id of a stored one, or, for an inline message, its
// address.
func (s *Server) photo(method, given, file string, m *Message) *refusal {
	name, data, came := strings.Cut(file, "\n")
	switch inline := s.chats[m.Chat].inline != ""; {
	case inline && came:
		s.problem("%s: an inline message takes no upload", method)
		return bad("wrong file identifier/HTTP URL specified")
	case inline && strings.HasPrefix(given, "http"):
		return s.load(given, m)
	case !came:
		if _, known := s.photos[given]; !known {
			return bad("wrong file identifier/HTTP URL specified")
		}
		m.Photo = given
		return nil
	}
	img, err := png.DecodeConfig(strings.NewReader(data))
	if err != nil || img.Width+img.Height > 10000 || name == "" {
		s.problem("%s: no photo: %v", method, err)
		return bad("PHOTO_INVALID_DIMENSIONS")
	}
	sum := sha256.Sum256([]byte(data))
	m.Photo = "photo-" + hex.EncodeToString(sum[:8])
	if s.photos == nil {
		s.photos = map[string]int{}
	}
	s.photos[m.Photo]++
	if s.photos[m.Photo] > 1 && s.Sparing {
		s.problem("%s: the same photo for the second time", method)
	}
	s.chats[m.Chat].uploads = append(s.chats[m.Chat].uploads, len(data))
	return nil
}

// find returns the message that a call names.
func (s *Server) find(p map[string]string, verb string) (*Message, *refusal) {
	c, refused := s.reach(p)
	if refused != nil {
		return nil, refused
	}
	for _, m := range c.messages {
		if (strconv.FormatInt(m.ID, 10) == p["message_id"] || c.inline != "" && c.inline == p["inline_message_id"]) && !m.deleted {
			return m, nil
		}
	}
	return nil, bad("message to " + verb + " not found")
}

func (s *Server) edit(method string, m *Message, p map[string]string) (any, *refusal) {
	changed := *m
	switch {
	case method == "editMessageText" && m.Photo != "":
		if s.chats[m.Chat].inline == "" { // there the bot can't know
			s.problem("editMessageText: a photo")
		}
		return nil, bad("there is no text in the message to edit")
	case method == "editMessageMedia" && s.chats[m.Chat].inline != "": // a photo takes the place of a text
	case method != "editMessageText" && m.Photo == "":
		s.problem("%s: no photo", method)
		return nil, bad("there is no caption in the message to edit")
	}
	if refused := s.content(method, p, &changed); refused != nil {
		return nil, refused
	}
	if changed.Photo == m.Photo && changed.Text == m.Text && reflect.DeepEqual(changed.Entities, m.Entities) && reflect.DeepEqual(changed.Buttons, m.Buttons) {
		return nil, bad("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	changed.Edits++
	*m = changed
	s.chats[m.Chat].touched()
	if s.chats[m.Chat].inline != "" {
		return true, nil
	}
	return m.body(s.chats[m.Chat]), nil
}

// prepare runs savePreparedInlineMessage. https://core.telegram.org/bots/api#savepreparedinlinemessage
func (s *Server) prepare(p map[string]string) (any, *refusal) {
	person, _ := strconv.ParseInt(p["user_id"], 10, 64)
	var result struct{ Type, ID string }
	if err := json.Unmarshal([]byte(p["result"]), &result); err != nil || result.Type == "" || result.ID == "" || s.people[person] == nil {
		s.problem("savePreparedInlineMessage: %v", p)
		return nil, bad("can't parse the inline query result")
	}
	s.prepared = append(s.prepared, p["result"])
	return map[string]any{"id": "prepared-" + strconv.Itoa(len(s.prepared)), "expiration_date": 1}, nil
}

// Prepared returns the messages that the bot has prepared for people to send: inline query results, as JSON.
func (s *Server) Prepared() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.prepared)
}

// patience is how long the bot waits for Telegram's answer to a call.
const patience = 5 * time.Second

// answeredTwice reports a second answer to a query. On a busy machine, the bot may not have heard in time that Telegram took the
// first one, and repeats it. s.mu must be held.
func (s *Server) answeredTwice(method string, q *query) {
	if q == nil || time.Since(q.at) < patience {
		s.problem("%s: no such query, or a second answer", method)
	}
}

// answerInline runs answerInlineQuery. https://core.telegram.org/bots/api#answerinlinequery
func (s *Server) answerInline(p map[string]string) *refusal {
	q := s.queries[p["inline_query_id"]]
	if q == nil || q.answered {
		s.answeredTwice("answerInlineQuery", q)
		return bad("query is too old and response timeout expired or query ID is invalid")
	}
	if p["is_personal"] != "true" || p["cache_time"] != "0" {
		s.problem("answerInlineQuery: others may see the answer")
	}
	q.answered = true
	q.answer = Answer{Text: p["results"]}
	close(q.done)
	return nil
}

// answer runs answerCallbackQuery. https://core.telegram.org/bots/api#answercallbackquery
func (s *Server) answer(p map[string]string) *refusal {
	q := s.queries[p["callback_query_id"]]
	if q != nil && q.old {
		return bad("query is too old and response timeout expired or query ID is invalid")
	}
	if q == nil || q.answered {
		s.answeredTwice("answerCallbackQuery", q)
		return bad("query is too old and response timeout expired or query ID is invalid")
	}
	if n := units(p["text"]); n > 200 {
		s.problem("answerCallbackQuery: %d characters", n)
		return bad("MESSAGE_TOO_LONG")
	}
	if u := p["url"]; u != "" && !strings.HasPrefix(u, "https://t.me/"+s.Username+"?start=") {
		s.problem("answerCallbackQuery: address %q", u)
		return bad("URL_INVALID")
	}
	q.answered = true
	q.answer = Answer{Text: p["text"], Alert: p["show_alert"] == "true", URL: p["url"]}
	close(q.done)
	return nil
}

// react runs setMessageReaction with one emoji, of those that every chat allows by default.
// https://core.telegram.org/bots/api#reactiontypeemoji
func (s *Server) react(p map[string]string) (any, *refusal) {
	c, refused := s.reach(p)
	if refused != nil {
		return nil, refused
	}
	var list []struct{ Type, Emoji string }
	if err := json.Unmarshal([]byte(p["reaction"]), &list); err != nil || len(list) != 1 || list[0].Type != "emoji" || !strings.Contains("👌👍🔥🎉🤝", list[0].Emoji) {
		s.problem("setMessageReaction: %s", p["reaction"])
		return nil, bad("REACTION_INVALID")
	}
	id, _ := strconv.ParseInt(p["message_id"], 10, 64)
	if id <= 0 || id > c.lastID {
		return nil, bad("message to react not found")
	}
	c.reacted[id] = list[0].Emoji
	return true, nil
}

func (s *Server) member(p map[string]string) (any, *refusal) {
	c, refused := s.reach(p)
	if refused != nil {
		return nil, refused
	}
	id, _ := strconv.ParseInt(p["user_id"], 10, 64)
	if id == botID && (c.bot == "left" || c.bot == "kicked") {
		return nil, refuse(http.StatusForbidden, "Forbidden: bot is not a member of the supergroup chat")
	}
	if id == botID {
		status := "member"
		if c.manager {
			status = "administrator"
		}
		return map[string]any{"status": status, "can_manage_tags": c.tagger, "user": map[string]any{"id": botID, "is_bot": true, "first_name": "Sedma"}}, nil
	}
	person := s.people[id]
	if person == nil {
		return nil, bad("user not found")
	}
	status := "member"
	if c.admins[id] {
		status = "administrator"
	}
	if _, member := c.admins[id]; !member || c.gone[id] {
		status = "left"
	}
	out := map[string]any{"status": status, "user": person.body()}
	if tag := c.tags[id]; tag != "" {
		out["tag"] = tag
	}
	return out, nil
}

// setTag sets a member's tag (https://core.telegram.org/bots/api#setchatmembertag).
func setTag(s *Server, p map[string]string) (any, *refusal) {
	c, refused := s.reach(p)
	if refused != nil {
		return nil, refused
	}
	id, _ := strconv.ParseInt(p["user_id"], 10, 64)
	tag := p["tag"]
	if n := utf8.RuneCountInString(tag); n > 16 || strings.ContainsFunc(tag, func(r rune) bool { return r > 0x2000 && r != '№' }) {
		s.problem("setChatMemberTag: %q", tag)
	}
	if !c.manager || !c.tagger || c.admins[id] {
		return nil, bad("not enough rights to change the tag of the member")
	}
	c.tags[id] = tag
	return true, nil
}

// Tagger makes the bot an administrator who may set tags, or takes that right away.
func (c *Chat) Tagger(may bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.manager, c.tagger = may, may
}

// SetTag sets a person's tag, as a person would.
func (c *Chat) SetTag(p *Person, tag string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.tags[p.ID] = tag
}

// Tag returns a person's tag.
func (c *Chat) Tag(p *Person) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.tags[p.ID]
}

func (m *Message) body(c *Chat) map[string]any {
	body := map[string]any{"message_id": m.ID, "date": time.Now().Unix(), "chat": c.body(),
		"from": map[string]any{"id": botID, "is_bot": true, "first_name": "Sedma"}}
	if m.Photo != "" {
		body["caption"] = m.Text
		body["photo"] = []map[string]any{{"file_id": m.Photo + "s", "width": 90, "height": 56}, {"file_id": m.Photo, "width": 800, "height": 500}}
	} else {
		body["text"] = m.Text
	}
	if m.Ephemeral != 0 {
		body["ephemeral_message_id"] = m.Ephemeral
	}
	if m.Thread != 0 {
		body["message_thread_id"], body["is_topic_message"] = m.Thread, true
	}
	return body
}

func (c *Chat) body() map[string]any {
	if c.person != nil {
		return map[string]any{"id": c.ID, "type": "private", "first_name": c.person.First}
	}
	return map[string]any{"id": c.ID, "type": "supergroup", "title": c.Title}
}

func (p *Person) body() map[string]any {
	return map[string]any{"id": p.ID, "is_bot": false, "first_name": p.First, "language_code": p.Lang}
}
