package deliver

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// step is one delivery that a place needs: a message to send, edit or delete, or a question.
type step struct {
	kind    stepKind
	key     string // key of the message in Shown.Posts
	post    screen.Post
	hash    string
	at      chat.Address // address of the message to edit or delete
	refused bool         // for send: the place refused a message before
	returns bool         // for remove: the message is sent again when its reader closes the page
	free    bool         // no limit of the place counts it: an answer to a press, or a hand's deletion
}

type stepKind uint8

// The kinds of steps, the most urgent first. A place may allow only one message every
// few seconds, so news comes before cleanup.
const (
	send stepKind = iota
	edit
	mend   // edit a message about the past, which only has to be right in the end
	remove // delete a message that is no longer wanted
	ask    // ask whether the place accepts messages
)

// place returns the place of a post: a chat's id, a player's id, or an ephemeralPlace.
func place(p screen.Post) string {
	if p.Player != "" && (p.Chat != "" || p.Key == openedKey) {
		return ephemeralPlace(p.Chat, p.Player)
	}
	return cmp.Or(p.Chat, p.Player)
}

func postKey(p screen.Post) string { return place(p) + " " + p.Key }

// posts returns the posts that should exist now.
func (d *Deliverer) posts(t table.Table, m Messages, shown *Shown) []Post {
	public, private := t.Readers()
	idle := func(p screen.Post) bool { return shown.idle(p, m.Stage) }
	var past []Post
	var present, ephemeral []screen.Post
	if !t.Policy.Masked {
		past, present = d.past(public), view.PresentPosts(public, private, ways(m, shown), idle)
		ephemeral = ephemeralPosts(m, public, private, shown, idle)
	} else {
		for _, own := range t.Chats { // each is the private chat of a player, who knows the others in another way
			if p, sits := private(own.ID); sits {
				past = append(past, d.past(p.Public)...)
				present = append(present, view.PresentPosts(p.Public, private, nil, idle)...)
			}
		}
	}
	silent := silentPosts(t, present, private, shown)
	posts := append(make([]Post, 0, len(past)+len(present)+len(ephemeral)+len(silent)), past...)
	for _, some := range [][]screen.Post{present, ephemeral, silent} {
		for _, p := range some {
			posts = append(posts, Post{Post: p})
			shown.announceUndone(t, m, &posts[len(posts)-1].Post)
		}
	}
	return posts
}

// Old reports whether a message is so old that it should be sent again instead of edited.
func (d *Deliverer) Old(p *ShownPost, now time.Time) bool {
	platform := d.PlatformOf(p.Address)
	return platform != nil && platform.Lasts() > 0 && !p.Sent.IsZero() && now.Sub(p.Sent) >= platform.Lasts()
}

// Plan compares the posts with the known messages, and returns the steps by place. A
// message is sent again instead of edited if it is old, or if it must lose its picture.
// Platforms can't take a picture out of a message.
func Plan(posts []Post, shown *Shown, stage string, old func(*ShownPost) bool) map[string][]step {
	plans := map[string][]step{}
	wanted, onPage := keys(posts)
	hashes := newHasher()
	for _, post := range posts {
		p, key, where := post.Post, postKey(post.Post), place(post.Post)
		shown.reuse(p, stage, wanted)
		was := shown.Posts[key]
		if post.onPage || shown.idle(p, stage) {
			continue
		}
		hash := post.hash
		if hash == "" {
			hash = hashes.screen(p.Screen)
		}
		switch sent := was != nil && was.Address != ""; {
		case !sent && was != nil && was.Hash == hash && was.Seq >= p.Seq: // this screen was refused, and would be refused again
		case !sent:
			plans[where] = append(plans[where], step{kind: send, key: key, post: p, hash: hash})
		case !p.OldOnly && (was.Seq < p.Seq || was.Hash != hash && (old(was) || was.Picture != "" && p.Screen.Picture == nil)):
			plans[where] = append(plans[where], step{kind: send, key: key, post: p, hash: hash})
		case was.Hash != hash && p.OldOnly:
			plans[where] = append(plans[where], step{kind: mend, key: key, post: p, hash: hash, at: was.Address})
			was.Hash = "" // the place may refuse it until the message isn't wanted any more: see retires
		case was.Hash != hash:
			plans[where] = append(plans[where], step{kind: edit, key: key, post: p, hash: hash, at: was.Address})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(shown.Posts)) {
		was := shown.Posts[key]
		where, _, _ := strings.Cut(key, " ")
		switch {
		case wanted[key]:
		case was.retires():
			plans[where] = append(plans[where], step{kind: mend, key: key, post: screen.Post{OldOnly: true, Passing: was.Passing}, hash: retired, at: was.Address})
		case was.Passing && was.Address != "" && !was.Stuck:
			plans[where] = append(plans[where], step{kind: remove, key: key, at: was.Address, returns: onPage[key]})
		case onPage[key] && was.Address == "": // it knows which nonces were used
		default:
			delete(shown.Posts, key) // final: the message stays as it is, and no step will change it again
		}
	}
	for where, steps := range plans {
		order(steps, shown, shown.Places[where])
	}
	return plans
}

// keys returns the keys of the posts that should have a message now, and of those that their readers see on a page.
func keys(posts []Post) (wanted, onPage map[string]bool) {
	wanted, onPage = make(map[string]bool, len(posts)), map[string]bool{}
	for _, post := range posts {
		if post.onPage {
			onPage[postKey(post.Post)] = true
		} else {
			wanted[postKey(post.Post)] = true
		}
	}
	return wanted, onPage
}

// retires reports whether a message that isn't wanted any more is to keep one line: it can't be deleted, or its last edit
// failed or never came, so people see what nobody knows.
func (p *ShownPost) retires() bool {
	if p.Passing {
		return p.Stuck && p.Hash != retired
	}
	return p.Address != "" && p.Hash == ""
}

// retired is the Hash of a message that keeps one line, and no buttons.
const retired = "retired"

// idle reports whether a post needs no step, whatever its screen. That is so if it has no
// message yet, and sending one is unnecessary or impossible.
func (s *Shown) idle(p screen.Post, stage string) bool {
	if was := s.Posts[postKey(p)]; was != nil && was.Address != "" {
		return false
	}
	return p.OldOnly || s.Places[place(p)].refuses(stage, p)
}

// reuse gives a public post that the place refuses to take as a new message, for example in a closed topic, the message
// of a post that is no longer wanted there. That message is edited instead of deleted.
func (s *Shown) reuse(p screen.Post, stage string, wanted map[string]bool) {
	at, key := s.Places[place(p)], postKey(p)
	if was := s.Posts[key]; was != nil && was.Address != "" || p.Player != "" || p.OldOnly || !at.refuses(stage, p) || at.Mute {
		return
	}
	for _, old := range slices.Sorted(maps.Keys(s.Posts)) {
		was := s.Posts[old]
		if where, _, _ := strings.Cut(old, " "); where == place(p) && !wanted[old] && was.Passing && was.Address != "" && !was.Stuck {
			delete(s.Posts, old)
			taken := *was
			taken.Seq, taken.Hash, taken.Passing = p.Seq, "", p.Passing
			s.Posts[key] = &taken
			return
		}
	}
}

// tidyEvery is the cleanup interval: in a busy place, one delivery in this many may be
// cleanup instead of news.
const tidyEvery = 4

// order sorts the steps of a place by urgency: first how something ended, then new messages,
// then an old result, which offers a rematch until it is edited. Messages that change all the time take turns, so the rest doesn't wait
// forever.
func order(steps []step, shown *Shown, at *ShownPlace) {
	tidy := at != nil && at.Count%tidyEvery == tidyEvery-1
	rank := func(s step) int {
		if s.kind == mend && s.post.First {
			return -1
		}
		if s.kind == mend && isResult(s.key) {
			return 2*int(send) + 1
		}
		if tidy && s.kind > edit {
			return 2*int(edit) - 1
		}
		return 2 * int(s.kind)
	}
	last := func(s step) int {
		if p := shown.Posts[s.key]; p != nil {
			return p.Count
		}
		return 0
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(last(a), last(b)))
	})
}

// isResult reports whether the key is that of a match's result.
func isResult(key string) bool { return strings.Contains(key, " result:") }
