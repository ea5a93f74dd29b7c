package message

import (
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

// Limits of a message and its parts.
const (
	// https://discord.com/developers/docs/components/reference
	maxComponents = 40   // including nested ones
	maxText       = 4000 // characters of all text displays together
	maxRow        = 5    // buttons in an action row
	// https://discord.com/developers/docs/components/reference#button
	maxLabel    = 80
	maxCustomID = 100
	maxURL      = 512
	// https://discord.com/developers/docs/components/reference#string-select
	maxOptions     = 25
	maxPlaceholder = 150 // characters
	// https://discord.com/developers/docs/resources/message#allowed-mentions-object
	maxMentions = 100
	// https://discord.com/developers/docs/components/reference#media-gallery-media-gallery-item-structure
	maxAlt = 1024 // characters
)

// Flags of a message
// (https://discord.com/developers/docs/resources/message#message-object-message-flags).
const (
	Ephemeral = 1 << 6  // only one person sees the message
	flagV2    = 1 << 15 // the message consists of components only; cannot be unset
)

// Body is the body of the requests that create or change a message.
type Body struct {
	Flags        int           `json:"flags,omitempty"`
	Components   []component   `json:"components"`
	Mentions     mentions      `json:"allowed_mentions"`
	Nonce        string        `json:"nonce,omitempty"`
	EnforceNonce bool          `json:"enforce_nonce,omitempty"`
	Attachments  []attachment  `json:"attachments,omitempty"` // empty: the message keeps its attachments
	files        []screen.File // the files of Attachments, in the same order
}

// attachment describes one of the files in a request.
type attachment struct {
	ID          string `json:"id"` // "0" is files[0]
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// Files returns the files of the message.
func (m Body) Files() []screen.File { return m.files }

// attach adds a file to the message, and returns a reference to it for components.
func (m *Body) attach(f screen.File, description string) media {
	m.Attachments = append(m.Attachments, attachment{strconv.Itoa(len(m.files)), f.Name, description})
	m.files = append(m.files, f)
	return media{"attachment://" + f.Name}
}

// Easel draws pictures. A name identifies a picture's content.
type Easel interface {
	Named(name string, p face.Picture) []byte
}

// Paint draws the picture of the screen that the message shows, if it sends one.
func (m Body) Paint(s screen.Screen, easel Easel) {
	for i, f := range m.files {
		if s.Picture != nil && f.Name == pictureName(*s.Picture) {
			m.files[i].Data = easel.Named(f.Name, s.Picture.Draw)
		}
	}
}

// Draft returns a message that shows a screen. Only a new (fresh) message may notify
// people. If the text is too long with the cards' emojis, only the buttons have emojis.
func Draft(s screen.Screen, fresh bool, cards Cards) Body {
	s = s.WithCopies(copyLink)
	called := notified(s)
	m := Body{Flags: flagV2, Mentions: mentions{Parse: []string{}}}
	if fresh {
		m.Mentions.Users = called
	}
	selects := menus(s.Menus)
	rows, used := buttons(s, 2*len(selects), cards)
	var files, gallery []component
	switch {
	case s.File == nil:
	case strings.HasSuffix(s.File.Name, ".gif"): // an animation plays in a gallery
		gallery = append(gallery, component{Type: typeGallery, Items: []galleryItem{{Media: m.attach(*s.File, "")}}})
		used++
	default: // https://discord.com/developers/docs/components/reference#file
		files = append(files, component{Type: typeFile, File: new(m.attach(*s.File, ""))})
		used++
	}
	if s.Picture != nil { // https://discord.com/developers/docs/components/reference#media-gallery
		alt := description(*s.Picture)
		item := media{"attachment://" + pictureName(*s.Picture)}
		if !s.Picture.Kept {
			item = m.attach(screen.File{Name: pictureName(*s.Picture)}, alt)
		}
		gallery = append(gallery, component{Type: typeGallery, Items: []galleryItem{{Media: item, Description: alt}}})
		used++
	}
	displays, complete := texts(s, called, maxComponents-1-used, cards)
	if !complete && len(cards) > 0 {
		displays, _ = texts(s, called, maxComponents-1-used, nil)
	}
	inside := slices.Concat(gallery, displays, files, selects, rows)
	if len(inside) == 0 {
		inside = append(inside, component{Type: typeText, Content: "…"}) // Discord refuses an empty message
	}
	m.Components = []component{{Type: typeContainer, Components: inside}}
	return m
}

// sectionTexts is the most texts of a section (https://discord.com/developers/docs/components/reference#section).
const sectionTexts = 3

// Portray shows a person's picture beside the first texts, if there is room. photo is its address.
func (m Body) Portray(person screen.Person, photo string) {
	used := 0
	var count func(list []component)
	count = func(list []component) {
		used += len(list)
		for _, c := range list {
			count(c.Components)
		}
	}
	count(m.Components)
	inside := m.Components[0].Components
	from := slices.IndexFunc(inside, func(c component) bool { return c.Type == typeText })
	if from < 0 || used+2 > maxComponents || len(photo) > maxURL { // the section and the picture
		return
	}
	to := from
	for to < len(inside) && to < from+sectionTexts && inside[to].Type == typeText {
		to++
	}
	section := component{
		Type: typeSection, Components: slices.Clone(inside[from:to]),
		Accessory: &component{Type: typeThumbnail, Media: &media{photo}, Description: Cut(screen.Line(person.Name), maxAlt)},
	}
	m.Components[0].Components = slices.Replace(inside, from, to, section)
}

// copyLink is the last line of a text to copy. Discord has no links to a private chat, so it
// is the command, which opens the deal of the server where someone writes it.
const copyLink = "/sedma daily"

// Line returns a message with a line of text.
func Line(text string) Body {
	return Draft(screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: text}}}}}, true, nil)
}

// notified returns the Discord ids of the people whom the screen notifies.
func notified(s screen.Screen) []string {
	var ids []string
	for _, p := range s.Notify {
		id, ok := Snowflake(p.ID, Prefix)
		if ok && !slices.Contains(ids, id) && len(ids) < maxMentions {
			ids = append(ids, id)
		}
	}
	return ids
}

// texts returns the screen's blocks, each as a text display. complete reports whether nothing was cut. Everybody in called is
// mentioned: an extra line has those whose names are missing, also because the text was cut before them.
func texts(s screen.Screen, called []string, room int, cards Cards) (out []component, complete bool) {
	lone := unnamed(s, called)
	for {
		out, complete = blocks(s, called, lone, room, cards)
		n := len(lone)
		for _, id := range called {
			if !slices.ContainsFunc(out, func(c component) bool { return strings.Contains(c.Content, "<@"+id+">") }) {
				lone = append(lone, id)
			}
		}
		if len(lone) == n {
			return out, complete
		}
	}
}

// blocks returns a line that mentions the people in lone, and the screen's blocks. If there are more than room, the last display
// holds all remaining blocks.
func blocks(s screen.Screen, called, lone []string, room int, cards Cards) (out []component, complete bool) {
	complete = true
	left := maxText
	if len(lone) > 0 {
		m := &markup{left: left}
		for _, id := range lone {
			m.mention(id)
			m.text(" ", false)
		}
		text := strings.TrimSpace(m.end())
		left -= units(text)
		out = append(out, component{Type: typeText, Content: text})
	}
	out = slices.Grow(out, min(len(s.Blocks), max(room, 0)))
	i := 0
	for ; i < len(s.Blocks) && left > reserve+1 && len(out) < room; i++ {
		m := &markup{left: left}
		block(m, s, s.Blocks[i], called, cards)
		for len(out) == room-1 && i+1 < len(s.Blocks) {
			i++
			m.newline()
			block(m, s, s.Blocks[i], called, cards)
		}
		text := strings.TrimRight(m.end(), " \n")
		if strings.TrimSpace(text) == "" {
			continue
		}
		left -= units(text)
		complete = complete && !m.full
		out = append(out, component{Type: typeText, Content: text})
	}
	return out, complete && i == len(s.Blocks)
}

// unnamed returns the ids in called whom the screen's text doesn't name. They are
// mentioned in an extra line.
func unnamed(s screen.Screen, called []string) []string {
	lone := slices.Clone(called)
	for _, b := range s.Blocks {
		for _, span := range b.Spans {
			if id, ok := Snowflake(span.Person.ID, Prefix); ok && span.Kind == screen.SpanPerson {
				lone = slices.DeleteFunc(lone, func(other string) bool { return other == id })
			}
		}
	}
	return lone
}

// prefixes are the markdown prefixes of lines, by look.
var prefixes = map[screen.Look]string{screen.Title: "### ", screen.Small: "-# ", screen.Quote: "> "}

// block writes one block to m.
func block(m *markup, s screen.Screen, b screen.Block, called []string, cards Cards) {
	if b.Look == screen.Code {
		m.code(b.Spans)
		return
	}
	m.prefix = prefixes[b.Look]
	for _, span := range b.Spans {
		switch span.Kind {
		case screen.SpanText:
			m.text(span.Text, false)
		case screen.SpanBold:
			m.text(span.Text, true)
		case screen.SpanPerson:
			if id, ok := Snowflake(span.Person.ID, Prefix); ok && slices.Contains(called, id) {
				m.mention(id)
			} else {
				m.name(span.Person)
			}
		case screen.SpanCard:
			e, ok := cards[emojiName(s.Face, span.Card)]
			if ok {
				m.emoji(e)
			}
			if ok && span.Strong {
				m.text(" ", false) // an emoji cannot be bold, so the card's text follows in bold
			}
			if !ok || span.Strong {
				m.text(face.Text(s.Face, span.Card), span.Strong)
			}
		case screen.SpanBreak:
			m.newline()
		case screen.SpanTime:
			m.time(span.At, "R")
		case screen.SpanDate:
			m.time(span.At, "F")
		}
	}
	m.setBold(false)
}

// LaunchPress is the data of the button that opens the table's page as an Activity. Only
// package discord knows it: Discord launches the Activity, and the bot isn't asked.
const LaunchPress = "launch"

// buttons returns the screen's action rows and the new number of components; used is the
// number so far. It leaves out buttons that lead to a private chat, because Discord has no
// such link. Of buttons with the same data, it keeps only the first: Discord refuses duplicates.
func buttons(s screen.Screen, used int, cards Cards) ([]component, int) {
	out := make([]component, 0, len(s.Rows))
	seen := make([]string, 0, maxComponents)
	for _, row := range s.Rows {
		made := make([]component, 0, len(row))
		for _, b := range row {
			press := b.Press
			if b.Page != "" && b.Link == "" {
				press = LaunchPress
			}
			if b.Link == "" && (press == "" || len(press) > maxCustomID || slices.Contains(seen, press)) || len(b.Link) > maxURL {
				continue
			}
			button := component{
				Type:     typeButton,
				Label:    Cut(screen.Line(b.Label), maxLabel),
				Style:    styles[b.Tone],
				Disabled: b.Off,
			}
			if b.Link != "" {
				button.Style, button.URL = styleLink, b.Link
			} else {
				seen, button.CustomID = append(seen, press), press
			}
			if e, ok := cards[emojiName(s.Face, b.Card)]; ok {
				button.Emoji = &e
				switch text := face.Text(s.Face, b.Card); b.Label { // the emoji says it
				case text:
					button.Label = ""
				case screen.TakesMark + " " + text:
					button.Label = screen.TakesMark
				}
			}
			made = append(made, button)
		}
		for part := range slices.Chunk(made, maxRow) {
			if used+1+len(part) > maxComponents-2 { // leave room for the container and one text
				return out, used
			}
			used += 1 + len(part)
			out = append(out, component{Type: typeRow, Components: part})
		}
	}
	return out, used
}

// menus returns the select menus, each in its own action row. A selection sends the
// option's value, which is its Press.
func menus(all []screen.Menu) []component {
	var out []component
	for i, m := range all {
		menu := component{
			Type:        typeMenu,
			CustomID:    "menu:" + strconv.Itoa(i),
			Placeholder: Cut(screen.Line(m.Label), maxPlaceholder),
		}
		for j, b := range m.Options[:min(len(m.Options), maxOptions)] {
			menu.Options = append(menu.Options, choosable{
				Label: Cut(screen.Line(b.Label), maxLabel), Value: b.Press, Default: j == m.Chosen,
			})
		}
		out = append(out, component{Type: typeRow, Components: []component{menu}})
	}
	return out
}
