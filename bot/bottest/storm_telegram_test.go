package bottest

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/telegram"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
)

// telegramWorld is a Telegram with one group.
type telegramWorld struct {
	*telegramtest.Server
	w     *storm
	group *telegramtest.Chat
	end   func()

	mu     sync.Mutex
	people []*telegramPerson
	read   int      // how many calls were checked for leaks
	wrong  []string // problems so far
}

func newTelegramWorld(t *testing.T, w *storm) platformWorld {
	p := &telegramWorld{Server: telegramtest.Within(t), w: w}
	p.Ephemerals = []telegramtest.Ephemerals{telegramtest.EphemeralsNever, telegramtest.EphemeralsNow}[w.Seed%2]
	p.group = p.Group("Cards")
	p.end = w.serve("telegram.test:80", p.Server)
	return p
}

func (p *telegramWorld) close() {
	p.Forgive() // what of it was wrong has been said
	p.end()
}

func (p *telegramWorld) adapter(m *machine) (runner, error) {
	c := telegram.Config{Commands: commands(), Easel: sketches{m}, Token: p.Token, Base: p.URL, HTTP: p.w.client(m), Log: m.log()}
	c.Agree, c.Election, c.Exchange = m.sharing()
	return telegram.New(c)
}

func (p *telegramWorld) person(name string) folk {
	who := &telegramPerson{p.Person(name), p}
	p.mu.Lock()
	p.people = append(p.people, who)
	p.mu.Unlock()
	who.Start("")
	return who
}

// at returns the address of a message as the adapter forms it.
func (*telegramWorld) at(m telegramtest.Message) chat.Address {
	mark := ""
	if m.Photo != "" {
		mark = "p"
	}
	return chat.Address(fmt.Sprintf("telegram:%d:%s%d", m.Chat, mark, m.ID))
}

func (p *telegramWorld) note(m telegramtest.Message) note {
	n := note{address: p.at(m), chat: fmt.Sprint("telegram:", m.Chat), private: m.Chat > 0 || m.For != 0, text: m.Text, raw: m}
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Data != "" {
				n.presses = append(n.presses, b.Data)
			}
			if b.URL != "" {
				n.links = append(n.links, b.URL)
			}
		}
	}
	return n
}

func (p *telegramWorld) messages() (all []note) {
	p.mu.Lock()
	people := slices.Clone(p.people)
	p.mu.Unlock()
	chats := []*telegramtest.Chat{p.group}
	for _, who := range people {
		chats = append(chats, who.Private())
	}
	for _, c := range chats {
		for _, m := range c.Messages() {
			all = append(all, p.note(m))
		}
	}
	return all
}

func (p *telegramWorld) heal() {
	p.Heal()
	p.group.Mute(false)
	p.problems()
	p.Forgive() // presses that nobody could answer
}

// problems returns the problems except presses that nobody answered in the storm, and answers that were repeated because
// the answer to the first was lost.
func (p *telegramWorld) problems() (wrong []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.Problems() {
		if strings.Contains(s, "was never answered") && !p.w.calm.Load() || strings.Contains(s, "or a second answer") || slices.Contains(p.wrong, s) {
			continue
		}
		p.wrong = append(p.wrong, s)
	}
	if rivals := "two processes poll at the same time"; p.Conflicts() > overlapping+forgotten*int(p.w.losses.Load()) && !slices.Contains(p.wrong, rivals) {
		p.wrong = append(p.wrong, rivals)
	}
	return p.wrong
}

// How many polls may be ended by those of another process.
const (
	overlapping = 3 // in the whole storm
	forgotten   = 7 // when the store forgets whose turn it is: until one of two processes gives way
)

func (p *telegramWorld) calls() int { return len(p.Calls("")) }

// leaks checks the buttons of all requests so far: a hand goes only to its owner.
func (p *telegramWorld) leaks() (wrong []string) {
	calls := p.Calls("")
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range calls[p.read:] {
		var markup struct {
			Rows [][]struct {
				Data string `json:"callback_data"`
			} `json:"inline_keyboard"`
		}
		if c.Params["reply_markup"] == "" || json.Unmarshal([]byte(c.Params["reply_markup"]), &markup) != nil {
			continue
		}
		var receiver struct {
			ID int64 `json:"receiver_user_id"`
		}
		reader := c.Params["chat_id"]
		if given := c.Params["ephemeral_message_parameters"]; given != "" && json.Unmarshal([]byte(given), &receiver) == nil {
			reader = strconv.FormatInt(receiver.ID, 10)
		} else if id := c.Params["receiver_user_id"]; id != "" {
			reader = id
		}
		for _, row := range markup.Rows {
			for _, b := range row {
				press, err := view.ParsePress(b.Data)
				if err != nil || press.Action != view.ActPlay {
					continue
				}
				switch card, is := press.Move.Card(); {
				case !is:
				case strings.HasPrefix(reader, "-"):
					wrong = append(wrong, fmt.Sprintf("a hand in a group: %v", c))
				case !p.w.held("telegram:"+reader, press, card):
					wrong = append(wrong, fmt.Sprintf("%s sees %v, which they don't hold: %v", reader, card, c))
				}
			}
		}
	}
	p.read = len(calls)
	return wrong
}

func (p *telegramWorld) cause(f fault) (end func(), ok bool) {
	nothing, w := func() {}, p.w
	some := []string{"", "sendMessage", "editMessageText", "answerCallbackQuery", "getUpdates", "sendPhoto", "editMessageMedia"}[f.On%7]
	fail := func(f telegramtest.Failure) (func(), bool) {
		p.Fail(f)
		return nothing, true
	}
	switch f.Kind {
	case "429":
		return fail(telegramtest.Failure{Method: some, Times: f.N, Code: http.StatusTooManyRequests, Description: "Too Many Requests: retry after 3", RetryAfter: f.N})
	case "500":
		return fail(telegramtest.Failure{Method: some, Times: f.N, Code: http.StatusInternalServerError, Description: "Internal Server Error"})
	case "a proxy's page":
		return fail(telegramtest.Failure{Method: some, Times: f.N, Code: http.StatusBadGateway, Page: "<html><body>Bad Gateway</body></html>"})
	case "answers end half-way":
		return fail(telegramtest.Failure{Method: some, Times: f.N, Cut: true})
	case "the platform is late":
		return fail(telegramtest.Failure{Method: some, Times: 3 * f.N, Delay: f.For})
	case "updates are late":
		return fail(telegramtest.Failure{Method: "getUpdates", Times: 1, Delay: f.For})
	case "an update comes twice":
		w.state("an update came twice")
		p.Repeat()
		return nothing, true
	case "somebody deletes a message":
		all := p.group.Messages()
		if len(all) == 0 {
			return nil, false
		}
		p.loses(all[max(f.On%len(all), len(all)-f.N)]) // one of the latest four, which still change
		return nothing, true
	case "the bot may not write once or twice":
		only := []string{"", "editMessageText", "editMessageMedia"}[f.On%3]
		return fail(telegramtest.Failure{
			Method: only, Chat: p.group.ID, Times: 1 + f.N%2, Code: http.StatusBadRequest, Description: "Bad Request: not enough rights to send text messages to the chat",
		})
	case "one message fails, and is refused then":
		all := p.group.Messages()
		if len(all) == 0 {
			return nil, false
		}
		m := all[max(f.On%len(all), len(all)-f.N)]
		p.Fail(telegramtest.Failure{Chat: m.Chat, Message: m.ID, Times: 1 + (f.N+f.On)%3, Code: http.StatusInternalServerError, Description: "Internal Server Error"})
		return fail(telegramtest.Failure{
			Chat: m.Chat, Message: m.ID, Times: 1 + f.On%2, Code: http.StatusBadRequest, Description: "Bad Request: not enough rights to send text messages to the chat",
		})
	case "somebody dismisses what only they see":
		p.mu.Lock()
		who := p.people[f.On%len(p.people)]
		p.mu.Unlock()
		own := who.Ephemerals(p.group)
		if len(own) == 0 {
			return nil, false
		}
		p.loses(own[len(own)-1])
		return nothing, true
	case "the topic is closed":
		w.state("a topic was closed")
		p.group.CloseTopic(0)
		return func() {
			w.refuses(fmt.Sprint("telegram:", p.group.ID))
			p.group.OpenTopic(0)
		}, true
	case "an anonymous administrator types":
		w.state("an anonymous administrator typed")
		p.group.Message(map[string]any{
			"from":        map[string]any{"id": 1087968824, "is_bot": true, "first_name": "Group", "username": "GroupAnonymousBot"},
			"sender_chat": map[string]any{"id": p.group.ID, "type": "supergroup", "title": p.group.Title}, "text": lines[f.On%len(lines)],
		})
		return nothing, true
	case "the bot may not write":
		p.group.Mute(true)
		return func() {
			w.refuses(fmt.Sprint("telegram:", p.group.ID))
			p.group.Mute(false)
		}, true
	}
	return nil, false
}

// loses lets a message of the group vanish.
func (p *telegramWorld) loses(m telegramtest.Message) {
	p.w.deletes(p.note(m))
	p.group.Lose(m)
}

// sketches draws one pixel, with the name of the picture in the file: drawing would be a sixth of the work, and takes so long
// that the scheduler interferes. Here it only takes the time.
type sketches struct{ m *machine }

func (s sketches) Named(name string, _ face.Picture) []byte {
	s.m.drawing.Add(1)
	defer s.m.drawing.Add(-1)
	time.Sleep(s.m.w.takes(100*time.Millisecond, s.m.name, name))
	comment := append([]byte("tEXt"), name...)
	data := binary.BigEndian.AppendUint32(bytes.Clone(pixel[:len(pixel)-pixelEnd]), uint32(len(name)))
	data = binary.BigEndian.AppendUint32(append(data, comment...), crc32.ChecksumIEEE(comment))
	return append(data, pixel[len(pixel)-pixelEnd:]...)
}

// pixel is a PNG file, whose last part has a length of pixelEnd.
var pixel = func() []byte {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	return file.Bytes()
}()

const pixelEnd = 12

type telegramPerson struct {
	*telegramtest.Person
	p *telegramWorld
}

func (t *telegramPerson) id() string { return fmt.Sprint("telegram:", t.ID) }

func (t *telegramPerson) sees() (all []note) {
	for _, m := range append(t.p.group.Messages(), t.Private().Messages()...) {
		all = append(all, t.p.note(m))
	}
	for _, m := range t.Ephemerals(t.p.group) {
		all = append(all, t.p.note(m))
	}
	return all
}

// command types a command, whose name may be another one on Telegram. In private, /start is Telegram's own.
func (t *telegramPerson) command(line string, private bool) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	for _, c := range commands() {
		if c.Name == name && c.Other != "" && !(private && name == "start") {
			line = strings.TrimSpace("/" + c.Other + " " + rest)
		}
	}
	if private {
		t.Say(t.Private(), line)
	} else {
		t.Say(t.p.group, line)
	}
}

func (t *telegramPerson) press(ctx context.Context, n note, data string) error {
	_, err := t.PressData(ctx, n.raw.(telegramtest.Message), data)
	return err
}

func (t *telegramPerson) blocks(yes bool) {
	if yes {
		t.p.w.state("a person blocked the bot")
		t.Block()
	} else {
		t.Start("")
	}
}
