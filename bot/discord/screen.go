package discord

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"sedmabot/bot/face"
	"sedmabot/bot/view"
)

// Limits of a message, and of what is in it.
const (
	// https://discord.com/developers/docs/components/reference
	maxComponents = 40   // nested ones counted
	maxText       = 4000 // characters of all text displays together
	maxRow        = 5    // buttons in an action row
	// https://discord.com/developers/docs/components/reference#button
	maxLabel    = 80
	maxCustomID = 100
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
	flagEphemeral = 1 << 6  // only the presser sees it
	flagV2        = 1 << 15 // made of components alone; once set it stays
)

// message is the body of every request that makes or changes a message.
type message struct {
	Flags        int                              `json:"flags,omitempty"`
	Components   []discordgo.MessageComponent     `json:"components"`
	Mentions     discordgo.MessageAllowedMentions `json:"allowed_mentions"`
	Nonce        string                           `json:"nonce,omitempty"`
	EnforceNonce bool                             `json:"enforce_nonce,omitempty"`
	Attachments  []attachment                     `json:"attachments,omitempty"` // none: those that it has stay
	files        []view.File                      // as Attachments has them
}

// attachment says which of the files that come with a request it is.
type attachment struct {
	ID          string `json:"id"` // "0" is files[0]
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// attached are the files that come with the message.
func (m message) attached() []view.File { return m.files }

// attach adds a file to the message, and returns its address there.
func (m *message) attach(f view.File, description string) discordgo.UnfurledMediaItem {
	m.Attachments = append(m.Attachments, attachment{strconv.Itoa(len(m.files)), f.Name, description})
	m.files = append(m.files, f)
	return discordgo.UnfurledMediaItem{URL: "attachment://" + f.Name}
}

// draft makes a message of a screen. Only a new one may call people. Where the
// cards' emojis would leave no room for all that is said, they stand on buttons only.
func draft(s view.Screen, fresh bool, cards emojis) message {
	called := notified(s)
	m := message{Flags: flagV2, Mentions: discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}}
	if fresh {
		m.Mentions.Users = called
	}
	selects := menus(s.Menus)
	rows, used := buttons(s, 2*len(selects), cards)
	var files, gallery []discordgo.MessageComponent
	if s.File != nil { // https://discord.com/developers/docs/components/reference#file
		files = append(files, discordgo.FileComponent{File: m.attach(*s.File, "")})
		used++
	}
	if s.Picture != nil { // https://discord.com/developers/docs/components/reference#media-gallery
		alt := description(*s.Picture)
		item := discordgo.UnfurledMediaItem{URL: "attachment://" + pictureName(*s.Picture)}
		if !s.Picture.Kept {
			item = m.attach(view.File{Name: pictureName(*s.Picture)}, alt)
		}
		gallery = append(gallery, discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{{Media: item, Description: &alt}}})
		used++
	}
	said, whole := texts(s, called, maxComponents-1-used, cards)
	if !whole && len(cards) > 0 {
		said, _ = texts(s, called, maxComponents-1-used, nil)
	}
	inside := slices.Concat(gallery, said, files, selects, rows)
	if len(inside) == 0 {
		inside = append(inside, discordgo.TextDisplay{Content: "…"}) // Discord takes no empty message
	}
	m.Components = []discordgo.MessageComponent{discordgo.Container{Components: inside}}
	return m
}

// line makes a message of a line of text.
func line(text string) message {
	return draft(view.Screen{Blocks: []view.Block{{Spans: []view.Span{{Text: text}}}}}, true, nil)
}

// notified are the ids, as Discord has them, of whom the screen calls.
func notified(s view.Screen) []string {
	var ids []string
	for _, p := range s.Notify {
		id, ok := snowflake(p.ID, prefix)
		if ok && !slices.Contains(ids, id) && len(ids) < maxMentions {
			ids = append(ids, id)
		}
	}
	return ids
}

// texts are the screen's blocks, one text display each, and the last of them
// together when there are more than room for. They are whole if nothing was cut.
func texts(s view.Screen, called []string, room int, cards emojis) (out []discordgo.MessageComponent, whole bool) {
	whole = true
	left := maxText
	if lone := unnamed(s, called); len(lone) > 0 {
		m := &markup{left: left}
		for _, id := range lone {
			m.mention(id)
			m.text(" ", false)
		}
		text := strings.TrimSpace(m.end())
		left -= units(text)
		out = append(out, discordgo.TextDisplay{Content: text})
	}
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
		whole = whole && !m.full
		out = append(out, discordgo.TextDisplay{Content: text})
	}
	return out, whole && i == len(s.Blocks)
}

// unnamed are those of the called whom the screen's text does not name: they
// are called in a line of their own.
func unnamed(s view.Screen, called []string) []string {
	lone := slices.Clone(called)
	for _, b := range s.Blocks {
		for _, span := range b.Spans {
			if id, ok := snowflake(span.Person.ID, prefix); ok && span.Kind == view.SpanPerson {
				lone = slices.DeleteFunc(lone, func(other string) bool { return other == id })
			}
		}
	}
	return lone
}

// prefixes are what makes a line look as it should.
var prefixes = map[view.Look]string{view.Title: "### ", view.Small: "-# ", view.Quote: "> "}

// block writes one block.
func block(m *markup, s view.Screen, b view.Block, called []string, cards emojis) {
	m.prefix = prefixes[b.Look]
	for _, span := range b.Spans {
		switch span.Kind {
		case view.SpanText:
			m.text(span.Text, false)
		case view.SpanBold:
			m.text(span.Text, true)
		case view.SpanPerson:
			if id, ok := snowflake(span.Person.ID, prefix); ok && slices.Contains(called, id) {
				m.mention(id)
			} else {
				m.name(span.Person)
			}
		case view.SpanCard:
			e, ok := cards[emojiName(s.Face, span.Card)]
			if ok {
				m.emoji(e)
			}
			if ok && span.Strong {
				m.text(" ", false) // and the text in bold, which an emoji cannot be
			}
			if !ok || span.Strong {
				m.text(face.Text(s.Face, span.Card), span.Strong)
			}
		case view.SpanBreak:
			m.newline()
		}
	}
	m.setBold(false)
}

// styles are the looks of buttons.
var styles = map[view.Tone]discordgo.ButtonStyle{
	view.Quiet:   discordgo.SecondaryButton,
	view.Primary: discordgo.PrimaryButton,
	view.Success: discordgo.SuccessButton,
	view.Danger:  discordgo.DangerButton,
}

// buttons are the action rows, and how many components they are. Buttons that
// lead to a private chat are left out (Discord has no such link), and so is the
// second of two that ask for the same, which Discord would refuse. used is how
// many components there are already.
func buttons(s view.Screen, used int, cards emojis) ([]discordgo.MessageComponent, int) {
	var out []discordgo.MessageComponent
	seen := map[string]bool{}
	for _, row := range s.Rows {
		var made []discordgo.MessageComponent
		for _, b := range row {
			if b.Press == "" || len(b.Press) > maxCustomID || seen[b.Press] {
				continue
			}
			seen[b.Press] = true
			button := discordgo.Button{
				Label:    cut(clean(b.Label), maxLabel),
				Style:    styles[b.Tone],
				Disabled: b.Off,
				CustomID: b.Press,
			}
			if e, ok := cards[emojiName(s.Face, b.Card)]; ok {
				button.Label, button.Emoji = "", &discordgo.ComponentEmoji{ID: e.ID, Name: e.Name}
			}
			made = append(made, button)
		}
		for part := range slices.Chunk(made, maxRow) {
			if used+1+len(part) > maxComponents-2 { // the container, and one text
				return out, used
			}
			used += 1 + len(part)
			out = append(out, discordgo.ActionsRow{Components: part})
		}
	}
	return out, used
}

// menus are select menus, each in an action row of its own. What comes back is
// the value of an option, which is its Press.
func menus(all []view.Menu) []discordgo.MessageComponent {
	var out []discordgo.MessageComponent
	for i, m := range all {
		menu := discordgo.SelectMenu{
			MenuType:    discordgo.StringSelectMenu,
			CustomID:    "menu:" + strconv.Itoa(i),
			Placeholder: cut(clean(m.Label), maxPlaceholder),
		}
		for j, b := range m.Options[:min(len(m.Options), maxOptions)] {
			menu.Options = append(menu.Options, discordgo.SelectMenuOption{
				Label: cut(clean(b.Label), maxLabel), Value: b.Press, Default: j == m.Chosen,
			})
		}
		out = append(out, discordgo.ActionsRow{Components: []discordgo.MessageComponent{menu}})
	}
	return out
}
