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
	"sedmabot/bot/screen"
)

// Press presses the button with that label for a person. It uses the message as it
// was when the caller got it, so an old button can be pressed. It returns an error
// if there is no such button, or if no platform could show the bot's reply.
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

// buttons returns the button rows of a screen, with each menu as a row.
func buttons(s screen.Screen) [][]screen.Button {
	var rows [][]screen.Button
	for _, m := range s.Menus {
		rows = append(rows, m.Options)
	}
	return append(rows, s.Rows...)
}

// PressData sends a press with any data for a person, on the message at a. The
// person has to see that message.
func (p *Playground) PressData(ctx context.Context, person string, a chat.Address, data string) (chat.Reply, error) {
	return p.press(ctx, person, p.config.Lang, a, data)
}

// Command sends a line such as "/new 4" for a person, in the channel or in their own
// direct messages. The error says what is wrong with the line.
func (p *Playground) Command(ctx context.Context, person, chatID, line string) (chat.Reply, error) {
	return p.command(ctx, person, p.config.Lang, chatID, line)
}

// Offering returns the newest message that the person sees with an enabled button of
// that label.
func (p *Playground) Offering(person, label string) (Message, bool) {
	seen := p.find(func(m *message) bool { return m.sees(person) })
	for _, m := range slices.Backward(seen) {
		for _, row := range buttons(m.Screen) {
			if slices.ContainsFunc(row, func(b screen.Button) bool { return b.Label == label && b.Press != "" && !b.Off }) {
				return m, true
			}
		}
	}
	return Message{}, false
}

// errPerson, errChat and errSight report requests that the page never makes.
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
	name, args, err := parse(p.config.Commands, line)
	if name == "help" && chatID == person && strings.EqualFold(strings.TrimSpace(line), "/sedma") {
		name = "hello"
	}
	if err != nil {
		return chat.Reply{}, err
	}
	p.mu.Lock()
	in := p.input(person, language, chatID)
	in.Command, in.Args = name, args
	p.mu.Unlock()
	return p.handle(ctx, in, nil, line)
}

// Hello reports that a person has opened the page. It opens their private chat, and doesn't
// show the answer. The messages there then follow the person's language. It also reports
// that the bot was added to the channel. Only the first report counts, so the welcome is in
// the first reader's language.
func (p *Playground) Hello(ctx context.Context, person, language string) error {
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
	p.handler.Handle(ctx, chat.Input{
		Chat: chat.Chat{ID: Channel, Home: Home, Lang: language}, Presence: chat.Added, Places: []string{Channel}, Once: Home + " added",
	})
	return nil
}

// input returns the fields that every input has, with an address for its answer. The
// caller holds p.mu.
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

// name returns the person's name in a language.
func name(person, language string) string {
	_, short, _ := strings.Cut(person, ":")
	return lang.For(language).Text("page.person." + short)
}

// handle passes an input to the bot and shows the reply. pressed is the message with
// the pressed button, and line the command as it was typed.
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
	if reply.Screen != nil && reply.Shown != nil {
		reply.Shown(ctx, in.Answer, in.Aside())
	}
	return reply, nil
}

// show shows the reply to an input.
func (p *Playground) show(in chat.Input, reply chat.Reply, pressed *message, line string) error {
	err := p.config.Check(reply.Toast, reply.Screen)
	if reply.Public && reply.Screen != nil && reply.Screen.File != nil {
		err = errPublicFile
	}
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
		for a, at := range p.at { // remove expired addresses of earlier presses
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

// lineError reports that a line isn't a command. Key selects the message for people.
type lineError struct {
	Key     string // a key in the catalogues
	Word    string
	Choices []string
}

func (e *lineError) Error() string {
	return fmt.Sprintf("read the command: %s: %q", strings.TrimPrefix(e.Key, "page."), e.Word)
}

// parse parses "/new 4" or "/new players:4", also after "/sedma ". Words without an
// option's name fill the options in order, or as the command sorts them.
func parse(commands []chat.Command, line string) (name string, args map[string]string, err error) {
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "/"))
	if len(words) > 1 && strings.EqualFold(words[0], "sedma") {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", nil, &lineError{Key: "page.no_command"}
	}
	if len(words) == 1 && strings.EqualFold(words[0], "sedma") {
		return "help", nil, nil
	}
	i := slices.IndexFunc(commands, func(c chat.Command) bool {
		return strings.EqualFold(c.Name, words[0]) || strings.EqualFold(c.Other, words[0])
	})
	if i < 0 {
		return "", nil, &lineError{Key: "page.no_command", Word: words[0]}
	}
	command := commands[i]
	args = map[string]string{}
	var loose []string
	for _, word := range words[1:] {
		name, _, named := strings.Cut(word, ":")
		clock := strings.Trim(name, "0123456789") == "" // a time of day, such as 20:00
		if command.AnyOrder && (!named || clock) {
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

// argument returns the option that a word fills, and its value.
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
		case chat.OptionText: // any word is valid
		}
		return o.Name, value, nil
	}
	return "", "", &lineError{Key: "page.bad_argument", Word: word}
}

// somebody returns the id of the person whom a word names in any language, or "".
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
