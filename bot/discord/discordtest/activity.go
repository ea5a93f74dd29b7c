package discordtest

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// activity is Discord's side of the application's Activity.
type activity struct {
	entry     object // the Entry Point command; nil: Activities are not enabled
	codes     map[string]grant
	tokens    map[string]grant
	instances map[string]*Instance
}

// clientSecret is the application's client secret.
const clientSecret = "client-secret-that-nobody-may-see"

const (
	entryPoint   = 4  // type of the Entry Point command
	answerLaunch = 12 // type of the answer that opens the Activity
)

// grant is what an access token is for.
type grant struct {
	person *Person
	app    string
	scopes []string
}

// Instance is a running Activity.
type Instance struct {
	ID      string
	s       *Server
	channel *Channel
	people  []*Person
}

// App returns the application's id, which is also the client id.
func (s *Server) App() string { return s.app }

// Activities enables Activities for the application. Discord then makes the Entry Point command. It returns the client
// secret.
func (s *Server) Activities() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.activity = activity{
		codes: map[string]grant{}, tokens: map[string]grant{}, instances: map[string]*Instance{},
		entry: object{
			"id": s.id(), "application_id": s.app, "version": s.id(), "type": float64(entryPoint), "handler": float64(2), "name": "launch",
			"name_localizations": object{"cs": "spustit"}, "description": "", "description_localizations": object{}, "default_member_permissions": nil,
			"integration_types": []any{float64(0), float64(1)}, "contexts": []any{float64(0), float64(1), float64(2)}, "nsfw": false,
		},
	}
	s.commands = append(s.commands, s.activity.entry)
	return clientSecret
}

// sameEntry reports whether a command is the Entry Point command, with nothing changed.
func sameEntry(v any, entry object) bool {
	want := maps.Clone(entry)
	delete(want, "application_id")
	delete(want, "version")
	return reflect.DeepEqual(v, any(want))
}

// Launch opens the Activity in a channel, for these people.
func (s *Server) Launch(c *Channel, people ...*Person) *Instance {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := &Instance{ID: "i-" + s.id() + "-gc-" + c.ID, s: s, channel: c, people: people}
	s.activity.instances[i.ID] = i
	return i
}

// Authorize returns the code that Discord gives an Activity's page, once a person has allowed it to see who they are, and
// what these scopes are for.
func (s *Server) Authorize(p *Person, scopes ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := "code-" + s.id()
	s.activity.codes[code] = grant{p, s.app, append([]string{"identify"}, scopes...)}
	return code
}

// Elsewhere returns an access token that a person gave to another application.
func (s *Server) Elsewhere(p *Person) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	token := "access-" + s.id()
	s.activity.tokens[token] = grant{person: p, app: "4242"}
	return token
}

// exchange gives an access token for a code (https://discord.com/developers/docs/topics/oauth2).
func (s *Server) exchange(form url.Values) (any, *refusal) {
	if form.Get("client_id") != s.app || form.Get("client_secret") != clientSecret {
		return nil, &refusal{status: 401, text: "invalid_client"}
	}
	given, ok := s.activity.codes[form.Get("code")]
	if form.Get("grant_type") != "authorization_code" || !ok {
		return nil, &refusal{status: 400, text: "invalid_grant"}
	}
	delete(s.activity.codes, form.Get("code"))
	token := "access-" + s.id()
	s.activity.tokens[token] = given
	return object{"access_token": token, "token_type": "Bearer", "expires_in": 604800, "refresh_token": "refresh-" + s.id(), "scope": strings.Join(given.scopes, " ")}, nil
}

// authorized tells whose access token it is, and for which application.
func (s *Server) authorized(header string) (any, *refusal) {
	token, _ := strings.CutPrefix(header, "Bearer ")
	g, ok := s.activity.tokens[token]
	if !ok {
		return nil, &refusal{status: 401, text: "401: Unauthorized"}
	}
	return object{
		"application": object{"id": g.app, "name": "sedmabot"}, "scopes": g.scopes, "expires": "2030-01-01T00:00:00+00:00",
		"user": object{"id": g.person.ID, "username": g.person.Name, "global_name": g.person.Name, "discriminator": "0", "avatar": "a_0123456789abcdef"},
	}, nil
}

// ofActivity answers a request that concerns the Activity.
func (s *Server) ofActivity(pattern string, r *http.Request, at func(int) string) (any, *refusal) {
	switch pattern {
	case "GET users/5":
		return s.ownMember(r.Header.Get("Authorization"))
	case "POST applications/3":
		return s.attach(r, at(1))
	case "POST oauth2/2":
		return s.exchange(r.PostForm)
	case "GET oauth2/2":
		return s.authorized(r.Header.Get("Authorization"))
	}
	return s.instance(at(1), at(3))
}

// ownMember returns a person's own membership of a server, if they allowed the application to ask for it.
// https://discord.com/developers/docs/resources/user#get-current-user-guild-member
func (s *Server) ownMember(header string) (any, *refusal) {
	token, _ := strings.CutPrefix(header, "Bearer ")
	g := s.activity.tokens[token]
	if !slices.Contains(g.scopes, "guilds.members.read") {
		return nil, &refusal{status: 401, text: "401: Unauthorized"}
	}
	return object{"nick": "Sir " + g.person.Name, "user": object{"id": g.person.ID}}, nil
}

// attach keeps a picture that an Activity's page shares.
// https://discord.com/developers/docs/activities/development-guides/user-actions#open-share-moment-dialog
func (s *Server) attach(r *http.Request, app string) (any, *refusal) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	_, head, err := r.FormFile("file")
	if s.activity.tokens[token].person == nil || app != s.app || err != nil {
		s.wrong("an upload to share: %v", err)
		return nil, &refusal{status: 401, text: "401: Unauthorized"}
	}
	return object{"attachment": object{"id": s.id(), "filename": head.Filename, "size": head.Size, "url": "https://cdn.discordapp.com/ephemeral-attachments/1/" + head.Filename}}, nil
}

// instance describes a running Activity.
func (s *Server) instance(app, id string) (any, *refusal) {
	i := s.activity.instances[id]
	if app != s.app || i == nil {
		return nil, &refusal{status: 404, text: "404: Not Found"}
	}
	users := []any{}
	for _, p := range i.people {
		users = append(users, p.ID)
	}
	location := object{"id": "gc-" + i.channel.ID, "kind": "gc", "channel_id": i.channel.ID}
	if i.channel.guild != nil {
		location["guild_id"] = i.channel.guild.ID
	} else {
		location["kind"] = "pc"
	}
	return object{"application_id": app, "instance_id": id, "launch_id": strconv.Itoa(s.last), "location": location, "users": users}, nil
}

// Leave ends a person's part in a running Activity.
func (i *Instance) Leave(p *Person) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.people = slices.DeleteFunc(i.people, func(other *Person) bool { return other == p })
}

// Launched reports whether the answer to an interaction was to open the Activity.
func (i *Interaction) Launched() bool {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	return i.kind == answerLaunch
}

// LaunchByCommand uses the Entry Point command of an application that handles it itself.
func (p *Person) LaunchByCommand(c *Channel) *Interaction {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	i := &Interaction{person: p, channel: c, what: "the Entry Point command"}
	p.s.begin(i, object{"type": 2, "data": object{"id": "1", "type": entryPoint, "name": "launch"}})
	return i
}
