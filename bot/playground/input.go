package playground

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
)

// Press lets the person press the button of that label on a message as it was
// when it was asked for: an old button stays an old button. The error says
// that there is no such button to press, or that the bot's reply is one that
// no platform could show.
func (p *Playground) Press(ctx context.Context, person string, m Message, label string) (chat.Reply, error) {
	for _, row := range buttons(m.Screen) {
		for _, b := range row {
			if b.Label == label && b.Press != "" && !b.Off {
				return p.PressData(ctx, person, m.Address, b.Press)
			}
		}
	}
	return chat.Reply{}, fmt.Errorf("no button %q to press", label)
}

// buttons are the rows of a screen, with each of its menus as one.
func buttons(s view.Screen) [][]view.Button {
	var rows [][]view.Button
	for _, m := range s.Menus {
		rows = append(rows, m.Options)
	}
	return append(rows, s.Rows...)
}

// PressData lets the person press made-up data on the message at a, which he
// must see.
func (p *Playground) PressData(ctx context.Context, person string, a chat.Address, data string) (chat.Reply, error) {
	return p.press(ctx, person, p.config.Lang, a, data)
}

// Command lets the person type a line such as "/new 4" in a chat: the channel,
// or his own direct messages. The error says what is wrong with the line.
func (p *Playground) Command(ctx context.Context, person, chatID, line string) (chat.Reply, error) {
	return p.command(ctx, person, p.config.Lang, chatID, line)
}

// Offering is the newest message that the person sees with a button of that
// label that can be pressed.
func (p *Playground) Offering(person, label string) (Message, bool) {
	seen := p.find(func(m *message) bool { return m.sees(person) })
	for _, m := range slices.Backward(seen) {
		for _, row := range buttons(m.Screen) {
			if slices.ContainsFunc(row, func(b view.Button) bool { return b.Label == label && b.Press != "" && !b.Off }) {
				return m, true
			}
		}
	}
	return Message{}, false
}

// errPerson, errChat and errSight refuse what no page would ask for.
var (
	errPerson = errors.New("no such person")
	errChat   = errors.New("no such chat for this person")
	errSight  = errors.New("this person sees no such message")
)

func (p *Playground) press(ctx context.Context, person, language string, a chat.Address, data string) (chat.Reply, error) {
	if !slices.Contains(people, person) {
		return chat.Reply{}, errPerson
	}
	p.mu.Lock()
	at := p.at[a]
	if at == nil || at.m == nil || !at.m.sees(person) {
		p.mu.Unlock()
		return chat.Reply{}, errSight
	}
	m := at.m
	in := p.input(person, language, m.Chat)
	in.Press, in.Message = data, a
	if in.OnAnswer = m.Answer && (m.Only != "" || m.Chat != Channel); in.OnAnswer {
		in.Origin = string(m.Address)
	}
	p.mu.Unlock()
	return p.handle(ctx, in, m, "")
}

func (p *Playground) command(ctx context.Context, person, language, chatID, line string) (chat.Reply, error) {
	if !slices.Contains(people, person) {
		return chat.Reply{}, errPerson
	}
	if chatID != Channel && chatID != person {
		return chat.Reply{}, errChat
	}
	name, args, err := parse(line)
	if err != nil {
		return chat.Reply{}, err
	}
	p.mu.Lock()
	in := p.input(person, language, chatID)
	in.Command, in.Args = name, args
	p.mu.Unlock()
	return p.handle(ctx, in, nil, line)
}

// hello opens somebody's private chat, and shows nothing of the answer: what stands
// there follows his language.
func (p *Playground) hello(ctx context.Context, person, language string) error {
	if !slices.Contains(people, person) {
		return errPerson
	}
	p.mu.Lock()
	in := p.input(person, language, person)
	delete(p.at, in.Answer)
	in.Command, in.Answer = "hello", ""
	p.mu.Unlock()
	select {
	case <-p.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	p.handler.Handle(ctx, in)
	return nil
}

// input is what every input has, with an address for its answer. It wants p.mu
// to be held.
func (p *Playground) input(person, language, chatID string) chat.Input {
	in := chat.Input{
		Player: chat.Player{ID: person, Name: name(person, language), Lang: language},
		Chat:   chat.Chat{ID: Channel, Home: Home, Lang: language},
		Admin:  person == Ann,
		Answer: p.address(),
		Until:  time.Now().Add(p.config.Answers),
	}
	in.Origin = string(in.Answer)
	if chatID != Channel {
		in.Chat = chat.Chat{ID: person, Home: person, Private: true, Lang: language}
		in.Admin = true
	}
	p.at[in.Answer] = &place{until: in.Until}
	return in
}

// name is what the person is called in a language.
func name(person, language string) string {
	_, short, _ := strings.Cut(person, ":")
	return lang.For(language).Text("page.person." + short)
}

// handle hands the input over and shows the reply. pressed is the message that
// the button stands on, line the command as it was typed.
func (p *Playground) handle(ctx context.Context, in chat.Input, pressed *message, line string) (chat.Reply, error) {
	select {
	case <-p.ready:
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.at, in.Answer)
		return chat.Reply{}, ctx.Err()
	}
	reply := p.handler.Handle(ctx, in)
	if err := p.show(in, reply, pressed, line); err != nil {
		return chat.Reply{}, err
	}
	if reply.Screen != nil && reply.Stands != nil {
		reply.Stands(ctx, in.Answer)
	}
	return reply, nil
}

// show shows the reply to an input.
func (p *Playground) show(in chat.Input, reply chat.Reply, pressed *message, line string) error {
	err := checkReply(reply)

	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		delete(p.at, in.Answer)
		p.config.Log.Error("a reply that no platform can show", "command", in.Command, "error", err)
		return fmt.Errorf("show the reply: %w", err)
	}
	if reply.Screen == nil {
		delete(p.at, in.Answer)
		return nil
	}
	if reply.Replace && in.OnAnswer && slices.Contains(p.standing, pressed) {
		for a, at := range p.at { // the addresses of earlier presses end some day
			if at.m == pressed && a != pressed.Address && !time.Now().Before(at.until) {
				delete(p.at, a)
			}
		}
		p.at[in.Answer].m = pressed
		p.edit(pressed, *reply.Screen)
		return nil
	}
	m := &message{Message: Message{Chat: in.Chat.ID, Answer: true, Screen: *reply.Screen}}
	if in.Command != "" {
		m.By, m.Line = in.Player.ID, line
	}
	if !in.Chat.Private && !reply.Public {
		m.Only = in.Player.ID
	}
	p.post(m, in.Answer)
	p.at[in.Answer].until = in.Until
	return nil
}

// lineError is a line that is no command; Key is what people are told.
type lineError struct {
	Key     string // a key in the catalogues
	Word    string
	Choices []string
}

func (e *lineError) Error() string {
	return fmt.Sprintf("read the command: %s: %q", strings.TrimPrefix(e.Key, "page."), e.Word)
}

// parse reads "/new 4", "/new players:4" or the same behind "/sedma ". Words
// without an option's name fill the options in order, or as the command sorts
// them.
func parse(line string) (name string, args map[string]string, err error) {
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "/"))
	if len(words) > 1 && words[0] == "sedma" {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", nil, &lineError{Key: "page.no_command"}
	}
	i := slices.IndexFunc(chat.Commands, func(c chat.Command) bool {
		return c.Name == words[0] || c.Other == words[0]
	})
	if i < 0 {
		return "", nil, &lineError{Key: "page.no_command", Word: words[0]}
	}
	command := chat.Commands[i]
	args = map[string]string{}
	var loose []string
	for _, word := range words[1:] {
		if command.AnyOrder && !strings.Contains(word, ":") {
			loose = append(loose, word)
			continue
		}
		option, value, err := argument(command, args, word)
		if err != nil {
			return "", nil, err
		}
		args[option] = value
	}
	maps.Copy(args, command.Sort(loose))
	for _, o := range command.Options {
		if _, ok := args[o.Name]; o.Required && !ok {
			return "", nil, &lineError{Key: "page.no_argument", Word: o.Name}
		}
	}
	return command.Name, args, nil
}

// argument finds the option that a word fills, and reads its value.
func argument(command chat.Command, args map[string]string, word string) (option, value string, err error) {
	for _, o := range command.Options {
		value, named := strings.CutPrefix(word, o.Name+":")
		if _, filled := args[o.Name]; filled {
			if named {
				return "", "", &lineError{Key: "page.bad_argument", Word: word}
			}
			continue
		}
		if !named && strings.Contains(word, ":") && o.Kind != chat.OptionPerson {
			continue
		}
		if len(o.Choices) > 0 && !slices.Contains(o.Choices, value) {
			return "", "", &lineError{Key: "page.bad_choice", Word: value, Choices: o.Choices}
		}
		switch o.Kind {
		case chat.OptionNumber:
			if _, err := strconv.Atoi(value); err != nil {
				return "", "", &lineError{Key: "page.bad_argument", Word: value}
			}
		case chat.OptionPerson:
			if value = somebody(value); value == "" {
				return "", "", &lineError{Key: "page.bad_argument", Word: word}
			}
		case chat.OptionText: // any word will do
		}
		return o.Name, value, nil
	}
	return "", "", &lineError{Key: "page.bad_argument", Word: word}
}

// somebody is the id of the person whom a word names in any language, or "".
func somebody(word string) string {
	word = strings.TrimPrefix(word, "@")
	for _, person := range people {
		if person == word {
			return person
		}
		for _, language := range lang.Languages() {
			if strings.EqualFold(name(person, language), word) {
				return person
			}
		}
	}
	return ""
}
