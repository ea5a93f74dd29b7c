package message

import (
	"sedmabot/bot/screen"
)

// Types of components
// (https://discord.com/developers/docs/components/reference#component-object-component-types).
const (
	typeRow       = 1 // an action row, with buttons or a menu
	typeButton    = 2
	typeMenu      = 3 // a string select
	typeSection   = 9 // texts beside an accessory
	typeText      = 10
	typeThumbnail = 11
	typeGallery   = 12
	typeFile      = 13
	typeContainer = 17
)

// component is a part of a message. One struct holds the fields of all types. The library's
// types aren't used: each of them encodes itself, and its parts once more for every level
// of nesting, which takes several times as long.
type component struct {
	Type        int           `json:"type"`
	Components  []component   `json:"components,omitempty"`
	Content     string        `json:"content,omitempty"` // markdown
	CustomID    string        `json:"custom_id,omitempty"`
	URL         string        `json:"url,omitempty"`
	Label       string        `json:"label,omitempty"`
	Style       int           `json:"style,omitempty"`
	Disabled    bool          `json:"disabled,omitempty"`
	Emoji       *Emoji        `json:"emoji,omitempty"`
	Placeholder string        `json:"placeholder,omitempty"`
	Options     []choosable   `json:"options,omitempty"`
	Items       []galleryItem `json:"items,omitempty"`
	File        *media        `json:"file,omitempty"`
	Accessory   *component    `json:"accessory,omitempty"`
	Media       *media        `json:"media,omitempty"`
	Description string        `json:"description,omitempty"`
}

// choosable is an option of a menu.
type choosable struct {
	Label   string `json:"label"`
	Value   string `json:"value"`
	Default bool   `json:"default,omitempty"`
}

// media refers to a file of the message.
type media struct {
	URL string `json:"url"`
}

// galleryItem is a picture in a gallery.
type galleryItem struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

// mentions limits whom a message notifies. With an empty Parse, it notifies only Users.
// https://discord.com/developers/docs/resources/message#allowed-mentions-object
type mentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
}

// styleLink is the style of a button that opens an address and sends no press.
const styleLink = 5

// styles are Discord's button styles, by tone
// (https://discord.com/developers/docs/components/reference#button-button-styles).
var styles = map[screen.Tone]int{screen.Primary: 1, screen.Quiet: 2, screen.Success: 3, screen.Danger: 4}
