package bottest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/view"
)

// discordWorld is a Discord with one channel of one server.
type discordWorld struct {
	*discordtest.Server
	w       *storm
	guild   *discordtest.Guild
	channel *discordtest.Channel
	end     func()

	mu     sync.Mutex
	people []*discordPerson
	latest []*discordtest.Interaction // the latest ones, the newest first
	read   int                        // how many calls were checked for leaks
	wrong  []string                   // problems so far
}

func newDiscordWorld(t *testing.T, w *storm) platformWorld {
	p := &discordWorld{Server: discordtest.Within(t, "http://discord.test"), w: w}
	p.Saw = w.state
	owner := p.NewPerson("Owner")
	p.guild = p.NewGuild(owner)
	p.channel = p.guild.NewChannel("cards")
	p.AllowLateAnswers()
	p.end = w.serve("discord.test:80", p.Server)
	return p
}

func (p *discordWorld) close() {
	p.Drop()
	p.end()
}

func (p *discordWorld) adapter(m *machine) (runner, error) {
	few := slices.DeleteFunc(slices.Clone(commands()), func(c chat.Command) bool { // all of them would be a twentieth of the work
		return !slices.ContainsFunc(append(lines, "/close"), func(line string) bool { return strings.HasPrefix(line+" ", "/"+c.Name+" ") })
	})
	c := discord.Config{
		Commands: few, Easel: sketches{m}, Token: p.Token(), APIBase: p.URL(), HTTP: p.w.client(m), Dial: p.w.air.Dial(m.name),
		Log: m.log(), Shared: p.w.Processes > 1,
	}
	c.Agree, c.Election, c.Exchange = m.sharing()
	return discord.New(c)
}

func (p *discordWorld) person(name string) folk {
	who := &discordPerson{p.NewPerson(name), p}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.people = append(p.people, who)
	return who
}

// note returns a message. The answer to an interaction is known by the tokens of all interactions that it has answered.
func (p *discordWorld) note(c *discordtest.Channel, m discordtest.Message) note {
	n := note{address: chat.Address("discord:m/" + c.ID + "/" + m.ID), chat: "discord:" + c.ID, private: c != p.channel || m.For != nil, text: m.Text, nonce: m.Nonce, raw: m}
	if c != p.channel {
		n.chat = "discord:" + p.owner(c).ID
	}
	if m.For != nil {
		for _, token := range slices.Backward(m.Tokens) {
			n.others = append(n.others, chat.Address("discord:i/"+p.App()+"/"+token))
		}
	}
	for _, b := range m.Buttons {
		if b.CustomID != "" && !b.Off {
			n.presses = append(n.presses, b.CustomID)
		}
		if b.URL != "" {
			n.links = append(n.links, b.URL)
		}
	}
	for _, menu := range m.Menus {
		for _, o := range menu.Options {
			n.presses = append(n.presses, o.Value)
		}
	}
	return n
}

// owner returns the person whose direct messages are in a channel.
func (p *discordWorld) owner(c *discordtest.Channel) *discordPerson {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, who := range p.people {
		if who.DM() == c {
			return who
		}
	}
	return nil
}

// messages returns all messages that the bot can still edit.
func (p *discordWorld) messages() (all []note) {
	p.mu.Lock()
	people := slices.Clone(p.people)
	p.mu.Unlock()
	channels := []*discordtest.Channel{p.channel}
	for _, who := range people {
		channels = append(channels, who.DM())
	}
	for _, c := range channels {
		for _, m := range c.Messages() {
			if m.For == nil || len(m.Tokens) > 0 {
				all = append(all, p.note(c, m))
			}
		}
	}
	return all
}

func (p *discordWorld) heal() {
	p.Heal()
	p.Delay(0)
	p.guild.Permit(discordtest.MayAll)
	p.problems()
	p.Forgive() // presses that nobody could answer
}

// problems returns the problems except presses that nobody answered in the storm, and what was repeated because the answer
// to the first was lost.
func (p *discordWorld) problems() (wrong []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.Problems() {
		if strings.Contains(s, "was never answered") && !p.w.calm.Load() || strings.Contains(s, "was answered twice") || strings.Contains(s, "resume_gateway_url") || slices.Contains(p.wrong, s) {
			continue
		}
		p.wrong = append(p.wrong, s)
	}
	return p.wrong
}

func (p *discordWorld) calls() int {
	return len(slices.DeleteFunc(p.Calls(), func(c discordtest.Call) bool { return strings.HasPrefix(c.Path, "/gateway") }))
}

// pressable finds the data of buttons and of options.
var pressable = regexp.MustCompile(`"(?:custom_id|value)":"([^"]+)"`)

// leaks checks the buttons of all requests so far: a hand goes only to its owner.
func (p *discordWorld) leaks() (wrong []string) {
	calls := p.Calls()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range calls[p.read:] {
		if c.Status != http.StatusOK && c.Status != http.StatusNoContent || !bytes.Contains(c.Body, []byte(`"`+view.ActPlay+`:`)) {
			continue
		}
		reader := p.Reader(c)
		for _, found := range pressable.FindAllSubmatch(c.Body, -1) {
			press, err := view.ParsePress(string(found[1]))
			if err != nil || press.Action != view.ActPlay {
				continue
			}
			switch card, is := press.Move.Card(); {
			case !is:
			case reader == nil:
				wrong = append(wrong, fmt.Sprintf("a hand in a channel: %s %s %s", c.Method, c.Path, c.Body))
			case !p.w.held("discord:"+reader.ID, press, card):
				wrong = append(wrong, fmt.Sprintf("%s sees %v, which they don't hold: %s %s %s", reader.ID, card, c.Method, c.Path, c.Body))
			}
		}
	}
	p.read = len(calls)
	return wrong
}

func (p *discordWorld) cause(f fault) (end func(), ok bool) {
	nothing, w := func() {}, p.w
	some := []string{"", "/channels/", "/interactions/", "/webhooks/", "/users/@me/channels", "/gateway"}[f.On%6]
	fail := func(f discordtest.Fault) (func(), bool) {
		p.Fail(f)
		return nothing, true
	}
	switch f.Kind {
	case "429":
		return fail(discordtest.Fault{Path: some, Times: f.N, Status: http.StatusTooManyRequests, After: float64(f.N)})
	case "500":
		return fail(discordtest.Fault{Path: some, Times: f.N, Status: http.StatusInternalServerError})
	case "a proxy's page":
		return fail(discordtest.Fault{Path: some, Times: f.N, Status: http.StatusBadGateway, Page: true})
	case "answers end half-way":
		return fail(discordtest.Fault{Path: some, Times: f.N, Cut: f.On%2 == 0, Lost: f.On%2 == 1})
	case "the platform is late":
		hold := make(chan struct{})
		p.Fail(discordtest.Fault{Path: some, Times: 3 * f.N, Hold: hold})
		return func() { close(hold) }, true
	case "updates are late":
		p.Delay(f.For / 8)
		return func() { p.Delay(0) }, true
	case "an update comes twice":
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, i := range p.latest[:min(len(p.latest), f.N)] {
			w.state("an update came twice")
			i.Repeat()
		}
		return nothing, true
	case "somebody deletes a message":
		all := slices.DeleteFunc(p.channel.Messages(), func(m discordtest.Message) bool { return m.For != nil })
		if len(all) == 0 {
			return nil, false
		}
		m := all[max(f.On%len(all), len(all)-f.N)] // one of the latest four, which still change
		w.deletes(p.note(p.channel, m))
		m.Delete()
		return nothing, true
	case "one message fails, and is refused then":
		all := slices.DeleteFunc(p.channel.Messages(), func(m discordtest.Message) bool { return m.For != nil })
		if len(all) == 0 {
			return nil, false
		}
		path := "/channels/" + p.channel.ID + "/messages/" + all[max(f.On%len(all), len(all)-f.N)].ID
		p.Fail(discordtest.Fault{Path: path, Times: 1 + (f.N+f.On)%3, Status: http.StatusInternalServerError})
		return fail(discordtest.Fault{Path: path, Times: 1 + f.On%2, Status: http.StatusForbidden, Code: 50013})
	case "messages arrive, and their answers are lost":
		return fail(discordtest.Fault{Method: http.MethodPost, Path: "/channels/", Times: f.N, Lost: true})
	case "somebody dismisses what only they see":
		all := slices.DeleteFunc(p.channel.Messages(), func(m discordtest.Message) bool { return m.For == nil || len(m.Tokens) == 0 })
		if len(all) == 0 {
			return nil, false
		}
		m := all[max(f.On%len(all), len(all)-f.N)]
		w.deletes(p.note(p.channel, m))
		m.Delete()
		return nothing, true
	case "the bot may not write once or twice":
		only := []string{"", http.MethodPatch}[f.On%2]
		return fail(discordtest.Fault{Method: only, Path: "/channels/" + p.channel.ID + "/messages", Times: 1 + f.N%2, Status: http.StatusForbidden, Code: 50013})
	case "the bot may not write":
		may := []uint64{0, discordtest.MayView, discordtest.MayAll &^ discordtest.MayAttach}[f.N%3]
		if may == discordtest.MayAll&^discordtest.MayAttach {
			w.state("the bot might not send pictures")
		}
		p.guild.Permit(may)
		return func() {
			w.refuses("discord:" + p.channel.ID)
			p.guild.Permit(discordtest.MayAll)
		}, true
	case "the gateway ends":
		switch f.N {
		case 1:
			w.state("the gateway asked to reconnect")
			p.AskToReconnect()
		case 2:
			p.Drop()
			p.Forget()
		case 3:
			w.state("the gateway went silent")
			p.Mute()
		default:
			w.state("the gateway closed connections")
			p.CloseWith([]int{1000, 4000, 4007, 4009}[f.On%4])
		}
		return func() { p.CloseWith(0) }, true
	case "a token expires":
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, i := range p.latest {
			i.Expire()
		}
		return nothing, true
	}
	return nil, false
}

// began remembers an interaction.
func (p *discordWorld) began(i *discordtest.Interaction) *discordtest.Interaction {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = append([]*discordtest.Interaction{i}, p.latest[:min(len(p.latest), 10)]...)
	return i
}

type discordPerson struct {
	*discordtest.Person
	p *discordWorld
}

func (d *discordPerson) id() string { return "discord:" + d.ID }

func (d *discordPerson) sees() (all []note) {
	for _, c := range []*discordtest.Channel{d.p.channel, d.DM()} {
		for _, m := range d.Sees(c) {
			all = append(all, d.p.note(c, m))
		}
	}
	return all
}

// command uses a command, once the bot has registered them. Some are only in groups.
func (d *discordPerson) command(line string, private bool) {
	if len(d.p.Commands()) == 0 {
		return
	}
	name, players, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	options := map[string]any{}
	if players != "" {
		options["players"] = int(players[0] - '0')
	}
	for _, c := range commands() {
		if c.Name == name && c.Group != "" {
			name = c.Group + " " + name
			if c.In != "" {
				name = c.Group + " " + c.In
			}
		}
	}
	where := d.p.channel
	if private {
		where = d.DM()
	}
	d.p.began(d.Slash(where, name, options))
}

func (d *discordPerson) press(ctx context.Context, n note, data string) error {
	if n.raw.(discordtest.Message).For != nil {
		d.p.w.state("a button was pressed on an answer")
	}
	began := time.Now()
	err := d.p.began(d.Does(n.raw.(discordtest.Message), data)).First(ctx)
	if took := time.Since(began); took > 3*time.Second+d.p.w.slack() && d.p.w.quiet(began) {
		d.p.w.fail("Discord waited for %v for the answer to %s while nothing failed", took, data)
	}
	return err
}

func (d *discordPerson) blocks(yes bool) {
	d.RefuseDMs(yes)
	if yes {
		d.p.w.state("a person blocked the bot")
	}
}
