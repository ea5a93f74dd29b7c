package activity_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/activity"
	"sedmabot/bot/discord/discordtest"
)

// place is a channel where Ann has the Activity open.
type place struct {
	*discordtest.Server
	*activity.Login
	ann, bob *discordtest.Person
	guild    *discordtest.Guild
	cards    *discordtest.Channel
	running  *discordtest.Instance
}

func newPlace(t *testing.T) place {
	t.Helper()
	s := discordtest.New(t)
	p := place{Server: s, ann: s.NewPerson("Ann"), bob: s.NewPerson("Bob")}
	p.Login = &activity.Login{Token: s.Token(), Client: s.App(), Secret: s.Activities(), APIBase: s.URL(), HTTP: http.DefaultClient}
	p.guild = s.NewGuild(p.ann)
	p.cards = p.guild.NewChannel("cards")
	p.running = s.Launch(p.cards, p.ann)
	return p
}

// token returns the access token that a person's page gets.
func (p place) token(t *testing.T, who *discordtest.Person) string {
	t.Helper()
	token, err := p.Exchange(t.Context(), p.Authorize(who))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func refused(err error) bool { return errors.As(err, new(*chat.Refusal)) }

func TestACodeIsExchangedOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	code := p.Authorize(p.ann)
	if token, err := p.Exchange(t.Context(), code); err != nil || token == "" {
		t.Errorf("a code: %q, %v", token, err)
	}
	for _, bad := range []string{code, "code-made-up", ""} {
		if token, err := p.Exchange(t.Context(), bad); !refused(err) || token != "" {
			t.Errorf("%q: %q, %v", bad, token, err)
		}
	}
}

// Discord says who has the Activity open, and in which channel. It is asked once for the same credentials.
func TestDiscordSaysWhoOpensThePage(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	before := len(p.Calls())
	k := chat.Credentials{Token: p.token(t, p.ann), Instance: p.running.ID}
	for range 3 {
		c, err := p.Authenticate(t.Context(), k)
		if err != nil || c.Player.ID != "discord:"+p.ann.ID || c.Player.Name != "Ann" || c.Chat.ID != "discord:"+p.cards.ID || c.Chat.Home != "discord:"+p.guild.ID {
			t.Fatalf("%+v, %v", c, err)
		}
	}
	if asked := len(p.Calls()) - before; asked != 3 {
		t.Errorf("%d calls to Discord, want one each for the token, the person and the channel", asked)
	}
	p.bob.Leave(p.guild)
	for who, want := range map[*discordtest.Person]bool{p.ann: true, p.bob: false} {
		if is, err := p.IsMember(t.Context(), chat.Chat{Home: "discord:" + p.guild.ID}, "discord:"+who.ID); is != want || err != nil {
			t.Errorf("is a member: %v, %v; want %v", is, err, want)
		}
	}
}

func TestPeopleWithoutProofAreRefused(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	ann := p.token(t, p.ann)
	for what, k := range map[string]chat.Credentials{
		"no token":               {Instance: p.running.ID},
		"a made-up token":        {Token: "access-made-up", Instance: p.running.ID},
		"another program's":      {Token: p.Elsewhere(p.ann), Instance: p.running.ID},
		"no Activity":            {Token: ann},
		"a path as the Activity": {Token: ann, Instance: "../../users"},
		"a token of two lines":   {Token: ann + "\r\nX-More: 1", Instance: p.running.ID},
	} {
		if c, err := p.Authenticate(t.Context(), k); !refused(err) {
			t.Errorf("%s: %+v, %v", what, c, err)
		}
	}
}

// A wrong Activity costs one request, also one that runs elsewhere, and also at once after the exchange. Discord was asked then
// who has the token. Of a token that another process exchanged, it is asked once more. A token that nobody has costs one
// request, whatever runs.
func TestAWrongActivityCostsOneRequest(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	ann := p.token(t, p.ann)
	other := p.Launch(p.guild.NewChannel("other"), p.bob)
	cost := func(l *activity.Login, token, instance string, want int) {
		t.Helper()
		before := len(p.Calls())
		c, err := l.Authenticate(t.Context(), chat.Credentials{Token: token, Instance: instance})
		if n := len(p.Calls()) - before; !refused(err) || n != want {
			t.Errorf("%s: %+v, %v, after %d requests, want %d", instance, c, err, n, want)
		}
	}
	elsewhere := p.Launch(p.guild.NewChannel("elsewhere"), p.bob)
	for _, wrong := range []string{other.ID, "i-made-up", "i-another", "i-made-up", other.ID, elsewhere.ID} {
		cost(p.Login, ann, wrong, 1)
	}
	cost(p.Login, ann, "../users", 0)
	process := &activity.Login{Token: p.Login.Token, Client: p.Client, Secret: p.Secret, APIBase: p.APIBase, HTTP: p.HTTP}
	cost(process, ann, other.ID, 2)
	for _, wrong := range []string{other.ID, "i-made-up", elsewhere.ID} {
		cost(process, ann, wrong, 1)
		cost(process, "access-"+wrong, wrong, 1)
		cost(process, "access-made-up", p.running.ID, 1)
	}
	if c, err := p.Authenticate(t.Context(), chat.Credentials{Token: ann, Instance: p.running.ID}); err != nil {
		t.Errorf("the right one: %+v, %v", c, err)
	}
}

// late is Discord's API with an Activity in whose list the reader appears at a moment.
type late struct{ from time.Time }

func (d late) RoundTrip(r *http.Request) (*http.Response, error) {
	body := `{"application":{"id":"1"},"user":{"id":"7","username":"ann"}}`
	switch {
	case !strings.Contains(r.URL.Path, "/activity-instances/"):
	case time.Now().Before(d.from):
		body = `{"location":{"channel_id":"5","guild_id":"4"},"users":["8"]}`
	default:
		body = `{"location":{"channel_id":"5","guild_id":"4"},"users":["8","7"]}`
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// A page may arrive before its reader is in Discord's list of those who have the Activity open. It comes again, and is let in.
func TestALateListIsReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &activity.Login{Client: "1", APIBase: "http://discord.example", HTTP: &http.Client{Transport: late{time.Now().Add(500 * time.Millisecond)}}}
		for _, comes := range []bool{false, true} {
			if c, err := l.Authenticate(t.Context(), chat.Credentials{Token: "access", Instance: "i-1"}); comes != (err == nil) || !comes && !refused(err) {
				t.Errorf("in the list %v: %+v, %v", comes, c, err)
			}
			time.Sleep(time.Second)
		}
	})
}

// A page that a proxy sends in Discord's place says nothing about a person or a code.
func TestAProxysPageIsNoVerdict(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	k := chat.Credentials{Token: p.token(t, p.ann), Instance: p.running.ID}
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound} {
		for what, ask := range map[string]func() error{
			"exchange a code": func() error { _, err := p.Exchange(t.Context(), p.Authorize(p.ann)); return err },
			"say who it is":   func() error { _, err := p.Authenticate(t.Context(), k); return err },
			"ask for a member": func() error {
				_, err := p.IsMember(t.Context(), chat.Chat{Home: "discord:" + p.guild.ID}, "discord:"+p.ann.ID)
				return err
			},
		} {
			p.Fail(discordtest.Fault{Times: 1, Status: status, Page: true})
			if err := ask(); err == nil || refused(err) {
				t.Errorf("%s, and get a page of %d: %v", what, status, err)
			}
		}
	}
}
