package discordtest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Flags of messages.
const (
	flagEphemeral = 1 << 6
	flagV2        = 1 << 15
)

// Limits of messages, from https://discord.com/developers/docs/components/reference
// and https://discord.com/developers/docs/resources/message.
const (
	maxComponents = 40
	maxText       = 4000
	maxRow        = 5
	maxLabel      = 80
	maxCustomID   = 100
	maxURL        = 512
	maxOptions    = 25
	maxNonce      = 25
	maxItems      = 10
	maxAlt        = 1024
	maxTexts      = 3 // texts of a section component
)

type message struct {
	id         string
	at         time.Time // when it was posted
	channel    *Channel
	flags      int
	components []component
	files      []File
	nonce      string
	only       *Person        // the only person who sees it, or nil
	origin     string         // id of the interaction that it answered
	answers    []*Interaction // whose answer it is
	called     []string
	loading    bool
	deleted    bool
	edits      int
}

type component struct {
	Type       int         `json:"type"`
	Components []component `json:"components,omitempty"`
	Content    string      `json:"content,omitempty"`
	Label      string      `json:"label,omitempty"`
	CustomID   string      `json:"custom_id,omitempty"`
	URL        string      `json:"url,omitempty"`
	Style      int         `json:"style,omitempty"`
	Disabled   bool        `json:"disabled,omitempty"`
	Options    []Option    `json:"options,omitempty"`
	Emoji      Emoji       `json:"emoji,omitzero"`
	File       media       `json:"file,omitzero"`
	Accessory  *component  `json:"accessory,omitempty"`
	Media      media       `json:"media,omitzero"`
	About      string      `json:"description,omitempty"`
	Items      []struct {
		Media       media  `json:"media"`
		Description string `json:"description"`
	} `json:"items,omitempty"`
}

type media struct {
	URL string `json:"url"`
}

// Types of components.
const (
	typeRow       = 1
	typeButton    = 2
	typeSelect    = 3
	typeSection   = 9
	typeText      = 10
	typeThumbnail = 11
	typeGallery   = 12
	typeFile      = 13
	typeContainer = 17
)

// styleLink is the style of a button that opens an address.
const styleLink = 5

type attached struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description"`
}

var mention = regexp.MustCompile(`<@!?(\d+)>`)

// body is the JSON of a request for a message.
type body struct {
	Content    string      `json:"content"`
	Flags      int         `json:"flags"`
	Components []component `json:"components"`
	Nonce      string      `json:"nonce"`
	Enforce    bool        `json:"enforce_nonce"`
	Files      []attached  `json:"attachments"`
	Mentions   *struct {
		Parse []string `json:"parse"`
		Users []string `json:"users"`
	} `json:"allowed_mentions"`
}

// fill sets a message from a request's body. If something is wrong, it records a problem and returns a refusal. fresh
// is set for a new message, which may mention people. s.mu must be held.
func (s *Server) fill(m *message, c Call, flags int, fresh bool) *refusal {
	before := len(s.problems)
	wrong := func(format string, args ...any) {
		s.wrong("%s %s: "+format+": %s", slices.Concat([]any{c.Method, c.Path}, args, []any{c.Body})...)
	}
	var b body
	if err := json.Unmarshal(c.Body, &b); err != nil {
		wrong("%v", err)
		return invalidForm
	}
	b.check(flags, fresh, wrong)
	if len(b.Files) != len(c.Files) {
		wrong("%d files, and %d attachments", len(c.Files), len(b.Files))
	}
	files := c.Files
	if !fresh && len(b.Files) == 0 {
		files = m.files // the old files stay
	}
	r := reading{wrong: wrong, hasEmoji: s.hasEmoji, names: map[string]bool{}, kept: map[string]bool{}, ids: map[string]bool{}}
	for _, f := range m.files {
		r.kept["attachment://"+f.Name] = !fresh && len(b.Files) == 0
	}
	for i, f := range b.Files[:min(len(b.Files), len(c.Files))] {
		if f.ID != strconv.Itoa(i) || f.Filename != c.Files[i].Name {
			wrong("attachment %d is another file", i)
		}
		r.names["attachment://"+f.Filename] = true
	}
	walk(b.Components, r.component)
	if len(r.names) > 0 {
		wrong("a file that nothing shows")
	}
	if r.count < 1 || r.count > maxComponents {
		wrong("%d components", r.count)
	}
	if r.length > maxText {
		wrong("%d characters", r.length)
	}
	if len(s.problems) > before {
		return invalidForm
	}
	if r.deleted {
		return invalidEmoji
	}
	if r.missing {
		return noAttachment
	}
	m.flags, m.components, m.files = b.Flags, b.Components, files
	if b.Nonce != "" { // a change has none, and the message keeps its own
		m.nonce = b.Nonce
	}
	for _, found := range mention.FindAllStringSubmatch(r.all.String(), -1) {
		if slices.Contains(b.Mentions.Users, found[1]) && !slices.Contains(m.called, found[1]) {
			m.called = append(m.called, found[1])
		}
	}
	return nil
}

// check reports what is wrong with a message, apart from its components and files.
func (b *body) check(flags int, fresh bool, wrong func(format string, args ...any)) {
	switch {
	case b.Flags&^flags != 0:
		wrong("flags %d are not allowed here", b.Flags)
	case b.Flags&flagV2 == 0:
		wrong("not of components alone")
	case b.Content != "":
		wrong("content beside components")
	case b.Mentions == nil || len(b.Mentions.Parse) > 0:
		wrong("it does not say whom it may call")
	case !fresh && len(b.Mentions.Users) > 0:
		wrong("an edit that calls people")
	case len(b.Nonce) > maxNonce || b.Nonce != "" && !b.Enforce:
		wrong("the nonce")
	}
}

// reading is what is known after reading some of a message's components.
type reading struct {
	wrong    func(format string, args ...any)
	hasEmoji func(Emoji) bool
	names    map[string]bool // attached files that no component has shown yet
	kept     map[string]bool // files from before the edit that are kept
	ids      map[string]bool // ids of buttons and menus
	deleted  bool            // it shows an emoji that was deleted
	missing  bool            // it shows a picture that is missing
	count    int
	length   int // length of all text
	all      strings.Builder
}

// component reads one component. parent is the type of the component that contains it, or 0.
func (r *reading) component(parent int, x component) {
	r.count++
	switch x.Type {
	case typeContainer:
		if parent != 0 || len(x.Components) == 0 {
			r.wrong("a container that is empty or within another")
		}
	case typeText:
		r.length += utf8.RuneCountInString(x.Content)
		r.all.WriteString(x.Content + "\n")
		if strings.TrimSpace(x.Content) == "" {
			r.wrong("an empty text")
		}
	case typeSection: // https://discord.com/developers/docs/components/reference#section
		if n := len(x.Components); n < 1 || n > maxTexts || x.Accessory == nil || x.Accessory.Type != typeThumbnail || !strings.HasPrefix(x.Accessory.Media.URL, "https://cdn.discordapp.com/avatars/") {
			r.wrong("a section of %d texts, or without a picture beside it", n)
			return
		}
		r.count++
	case typeFile:
		if !r.names[x.File.URL] {
			r.wrong("a file that is not there, or is there twice")
		}
		delete(r.names, x.File.URL)
	case typeGallery:
		r.gallery(x)
	case typeRow:
		n := len(x.Components)
		lone := n > 1 && slices.ContainsFunc(x.Components, func(x component) bool { return x.Type == typeSelect })
		if n < 1 || n > maxRow || lone {
			r.wrong("%d buttons in a row, or a menu beside others", n)
		}
	case typeSelect:
		r.menu(parent, x)
	case typeButton:
		r.button(parent, x)
	default:
		r.wrong("a component of type %d", x.Type)
	}
}

func (r *reading) gallery(x component) {
	if len(x.Items) < 1 || len(x.Items) > maxItems {
		r.wrong("%d pictures in a gallery", len(x.Items))
	}
	for _, item := range x.Items {
		r.missing = r.missing || !r.names[item.Media.URL] && !r.kept[item.Media.URL]
		if n := utf8.RuneCountInString(item.Description); n < 1 || n > maxAlt {
			r.wrong("a picture described in %d characters", n)
		}
		delete(r.names, item.Media.URL)
	}
}

func (r *reading) menu(parent int, x component) {
	if n := len(x.Options); parent != typeRow || n < 1 || n > maxOptions || r.ids[x.CustomID] {
		r.wrong("a menu outside a row, of %d options, or one that is there twice", n)
	}
	r.ids[x.CustomID] = true
	values := map[string]bool{}
	chosen := 0
	for _, o := range x.Options {
		if values[o.Value] {
			r.wrong("the value %q is there twice", o.Value)
		}
		values[o.Value] = true
		if o.Default {
			chosen++
		}
	}
	if chosen > 1 {
		r.wrong("%d options are chosen", chosen)
	}
}

func (r *reading) button(parent int, x component) {
	if parent != typeRow || x.Style < 1 || x.Style > 5 {
		r.wrong("a button outside a row, or of style %d", x.Style)
	}
	if n := utf8.RuneCountInString(x.Label); n < 1 && x.Emoji.ID == "" || n > maxLabel {
		r.wrong("a label of %d characters", n)
	}
	r.deleted = r.deleted || x.Emoji.ID != "" && !r.hasEmoji(x.Emoji)
	if x.Style == styleLink {
		if n := utf8.RuneCountInString(x.URL); n < 1 || n > maxURL || x.CustomID != "" {
			r.wrong("a link of %d characters, or one with data", n)
		}
		return
	}
	if n := utf8.RuneCountInString(x.CustomID); n < 1 || n > maxCustomID || r.ids[x.CustomID] {
		r.wrong("the data %q is too long or there twice", x.CustomID)
	}
	r.ids[x.CustomID] = true
}

// Check records a problem if Discord would refuse a new message with that body.
func (s *Server) Check(body json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := Call{Method: "POST", Path: "/channels/1/messages", Body: body}
	var b struct {
		Files []attached `json:"attachments"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		s.wrong("%v", err)
	}
	for _, f := range b.Files {
		c.Files = append(c.Files, File{Name: f.Filename})
	}
	for _, p := range schemaProblems(c) {
		s.wrong("%s: %s", p, body)
	}
	s.fill(&message{}, c, flagV2, true)
}

// walk visits all components, parents first, with the type of each one's parent.
func walk(list []component, visit func(parent int, x component)) {
	var down func(parent int, list []component)
	down = func(parent int, list []component) {
		for _, x := range list {
			visit(parent, x)
			down(x.Type, x.Components)
		}
	}
	down(0, list)
}

// snapshot returns the message as it is now. s.mu must be held.
func (m *message) snapshot() Message {
	out := Message{
		ID: m.id, Ephemeral: m.only != nil, Loading: m.loading, Edits: m.edits,
		Called: slices.Clone(m.called), Files: m.files, For: m.only, Nonce: m.nonce, m: m,
	}
	for _, i := range m.answers {
		if m.only != nil && i.valid() {
			out.Tokens = append(out.Tokens, i.token)
		}
	}
	var texts, alts []string
	walk(m.components, func(_ int, x component) {
		switch x.Type {
		case typeGallery:
			for _, item := range x.Items {
				alts = append(alts, item.Description)
			}
		case typeText:
			texts = append(texts, x.Content)
		case typeSection:
			out.Beside = x.Accessory.Media.URL
		case typeButton:
			label := x.Label
			if label == "" {
				label = x.Emoji.String()
			}
			out.Buttons = append(out.Buttons, Button{label, x.CustomID, x.URL, x.Style, x.Disabled})
		case typeSelect:
			out.Menus = append(out.Menus, Menu{x.CustomID, x.Options})
		}
	})
	out.Text, out.Alt = strings.Join(texts, "\n"), strings.Join(alts, "\n")
	return out
}

// event returns the message as it is part of an interaction. It includes a component of an unknown type, because
// Discord adds new ones.
func (m *message) event() object {
	flags := m.flags &^ flagEphemeral
	if m.only != nil {
		flags |= flagEphemeral
	}
	list := []any{}
	for _, c := range m.components {
		list = append(list, c)
	}
	event := object{"id": m.id, "channel_id": m.channel.ID, "flags": flags, "content": "", "components": append(list, object{"type": 99})}
	if m.origin != "" {
		event["interaction_metadata"] = object{"id": m.origin, "type": 2}
	}
	return event
}
