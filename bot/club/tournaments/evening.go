package tournaments

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/store"
)

// Evenings is the document of a home's tournaments at set times. Presses change it. Its job
// sends their messages, and begins the tournaments: see tendEvenings.
type Evenings struct {
	Home string    `json:"home"`
	Last int       `json:"last,omitempty"` // the highest number of an evening so far
	Runs int       `json:"runs,omitempty"` // how many evenings have begun, failed to begin, or were called off
	List []Evening `json:"list,omitempty"` // coming evenings, by number
	Past []Evening `json:"past,omitempty"` // recent evenings, whose messages show how they ended
}

// Evening is a tournament at a set time.
type Evening struct {
	No     int        `json:"no"` // its number in the home; a weekly evening keeps it
	At     time.Time  `json:"at"`
	Clock  int        `json:"clock,omitempty"` // minutes after midnight that were asked for, if that day's change of the clocks skips them; 0: what At shows
	Weekly bool       `json:"weekly,omitempty"`
	Opens  time.Time  `json:"opens"`            // when its message is sent
	Lobby  Tournament `json:"lobby"`            // the tournament before it has an id: its game and entrants
	Event  string     `json:"event,omitempty"`  // its event in Discord's calendar, which the release before made
	Plain  bool       `json:"plain,omitempty"`  // that release made no event, or couldn't
	Result string     `json:"result,omitempty"` // of a past evening: tournaments.EveningBegun and so on
	Next   time.Time  `json:"next,omitzero"`    // of a past evening: when the next one of the series begins
	People int        `json:"people,omitempty"` // of a past evening: how many people had signed up
	Unkept bool       `json:"unkept,omitempty"` // of a past evening: that release is to remove its event
}

// Limits of evenings.
const (
	maxEvenings = 4                   // coming evenings of a home
	maxPast     = 8                   // past evenings that are kept
	signUp      = 48 * time.Hour      // how long before a weekly evening its message is sent
	callAhead   = 15 * time.Minute    // how long before an evening those who signed up are called
	tooLate     = 2 * time.Hour       // how late an evening may begin, if the bot wasn't running
	keepPast    = 24 * time.Hour      // how long a past evening is kept
	farthest    = 60 * 24 * time.Hour // how far ahead an evening can be planned
)

// Refusals of plans, and of presses on an evening's message.
var (
	errEveningWhen = chat.NewRefusal("evening_when")
	errEveningFar  = chat.NewLimit("evening_far", int(farthest/(24*time.Hour)))
	errEveningMost = chat.NewLimit("evening_most", maxEvenings)
	errEveningOver = chat.NewRefusal("evening_over")
)

// eveningsID returns the id in the names of a home's evenings and of their messages. It has
// the form of a table's id, and is always the same for a home.
func eveningsID(home string) string {
	sum := sha256.Sum256([]byte("evenings " + home))
	name := base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])
	return strconv.FormatInt(int64(store.Partition(home)), 16) + strings.ToLower(name[:12])
}

// eveningsName returns the name of the document, and of its job.
func eveningsName(id string) string { return "evenings:" + id }

// eveningsKeys returns the keys of the document and of its deliver.Shown. It returns false
// if id is malformed.
func eveningsKeys(id string) (keys []store.Key, ok bool) {
	partition, ok := doc.TablePartition(id)
	return []store.Key{{Partition: partition, Name: eveningsName(id)}, {Partition: partition, Name: doc.ShownName(id)}}, ok
}

// write returns the write that stores the document over that version. It deletes a document
// that lists no evenings.
func (e Evenings) write(version int64) store.Write {
	w := store.Write{Name: eveningsName(eveningsID(e.Home)), Expect: version}
	if len(e.List)+len(e.Past) > 0 {
		w.Data = doc.Encode(e)
	}
	return w
}

// find returns the index of a coming evening, or -1.
func (e Evenings) find(no int, at int64) int {
	return slices.IndexFunc(e.List, func(v Evening) bool { return v.No == no && v.At.Unix() == at })
}

// settle moves an evening to the past with a result. If the series continues, it adds the
// next evening: a week later, or more weeks if the bot wasn't running for so long.
func (e *Evenings) settle(i int, result string, again bool, zone *time.Location, now time.Time) {
	was := e.List[i]
	next := was
	was.Result = result
	for _, x := range was.Lobby.Entrants {
		was.People += len(x.here())
	}
	was.Unkept = was.Event != "" && result != EveningBegun
	e.Runs++
	if again {
		local := was.At.In(zone)
		clock := cmp.Or(was.Clock, 60*local.Hour()+local.Minute())
		next.At, next.Clock = onDay(local, 7, clock)
		for days := 14; !next.At.After(now); days += 7 {
			next.At, next.Clock = onDay(local, days, clock)
		}
		next.Opens = next.At.Add(-signUp)
		next.Event, next.Plain = "", false
		next.Lobby.Entrants, next.Lobby.Entered = nil, 0
		was.Next = next.At
		e.List[i] = next
	} else {
		e.List = slices.Delete(slices.Clone(e.List), i, i+1)
	}
	e.Past = append(slices.Clip(e.Past), was)
	e.Past = e.Past[max(0, len(e.Past)-maxPast):]
}

// prune removes the evenings that are long past, and reports whether there were any.
func (e *Evenings) prune(now time.Time) bool {
	n := len(e.Past)
	e.Past = slices.DeleteFunc(slices.Clone(e.Past), func(v Evening) bool { return !now.Before(later(v.At, v.Opens).Add(keepPast)) })
	return len(e.Past) < n
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// next returns when the next step is due: an evening's message, its call, its beginning or its
// removal. It returns zero if there is none.
func (e Evenings) next(now time.Time) (at time.Time) {
	for _, v := range e.List {
		for _, t := range []time.Time{v.Opens, v.At.Add(-callAhead), v.At} {
			if t.After(now) && (at.IsZero() || t.Before(at)) {
				at = t
			}
		}
	}
	for _, v := range e.Past {
		if t := later(v.At, v.Opens).Add(keepPast); at.IsZero() || t.Before(at) {
			at = t
		}
	}
	return at
}

// views returns evenings in the form that screens need.
func (e Evenings) views(list []Evening, zone *time.Location) (out []EveningView) {
	for _, v := range list {
		lobby := v.Lobby
		lobby.ID = eveningsID(e.Home)
		if lobby.Stage == "" {
			lobby.Stage = StageLobby
		}
		out = append(out, EveningView{
			TournamentView: lobby.view(), Number: v.No, At: v.At.In(zone), Weekly: v.Weekly, Result: v.Result, Next: v.Next.In(zone), Signed: v.People,
		})
	}
	return out
}

// posts returns the messages that the evenings should have in their chats now.
func (e Evenings) posts(zone *time.Location, now time.Time) (posts []screen.Post) {
	for i, v := range e.views(e.Past, zone) {
		posts = append(posts, eveningPosts(v, e.Past[i].Lobby.Chat, false)...)
	}
	for i, v := range e.views(e.List, zone) {
		if own := e.List[i]; !now.Before(own.Opens) {
			posts = append(posts, eveningPosts(v, own.Lobby.Chat, !now.Before(own.At.Add(-callAhead)))...)
		}
	}
	return posts
}

// forget removes a person from the evenings, and reports whether they were there.
func (e *Evenings) forget(player, gone string) (found bool) {
	for _, list := range [][]Evening{e.List, e.Past} {
		for i := range list {
			found = list[i].Lobby.forget(player, gone) || found
		}
	}
	return found
}

var (
	clockTime = regexp.MustCompile(`^([0-9]{1,2})(?:[:.h]([0-9]{2}))?(am|pm)?$`)
	dayDate   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// cutWeekly removes the reader's word for "weekly" from the words, and reports whether it was
// there.
func cutWeekly(words string, c *lang.Catalogue) (rest string, weekly bool) {
	fields := strings.Fields(words)
	others := slices.DeleteFunc(slices.Clone(fields), func(word string) bool { return chat.Plain(word) == chat.Plain(c.Text("word.weekly")) })
	return strings.Join(others, " "), len(others) < len(fields)
}

// onDay returns the moment of another day at which a clock in day's zone shows that many minutes after midnight. If a change
// of the clocks skips them, it returns the moment that many minutes later, and the minutes as Evening.Clock has them.
func onDay(day time.Time, days, minutes int) (at time.Time, clock int) {
	at = time.Date(day.Year(), day.Month(), day.Day()+days, 0, minutes, 0, 0, day.Location())
	if 60*at.Hour()+at.Minute() != minutes {
		clock = minutes
	}
	return at, clock
}

// saidWhen are the kinds of words in a time, beside days and numbers: the catalogue has the words of each, separated by spaces.
var saidWhen = []string{"today", "tomorrow", "am", "pm", "at"}

// said is what the words of a time have named so far.
type said struct {
	day          int // the weekday, or -1
	date         time.Time
	hour, minute int    // the hour is -1 until a word names it
	half         string // "am", "pm" or ""
}

// add adds a word, and reports whether it fits the others.
func (s *said) add(word string, c *lang.Catalogue, now time.Time) bool {
	kind, dated := kindOf(word, c), s.day >= 0 || !s.date.IsZero()
	m := clockTime.FindStringSubmatch(word)
	if m != nil {
		kind = m[3]
	}
	switch {
	case m != nil:
		if s.hour >= 0 {
			return false
		}
		s.hour, _ = strconv.Atoi(m[1])
		s.minute, _ = strconv.Atoi(m[2])
	case kind == "am" || kind == "pm" || kind == "at":
	case dated:
		return false
	case kind == "today":
		s.date = now
	case kind == "tomorrow":
		s.date, _ = onDay(now, 1, 12*60)
	case dayDate.MatchString(word):
		var err error
		s.date, err = time.ParseInLocation(time.DateOnly, word, now.Location())
		return err == nil
	default:
		s.day = weekday(word, c)
		return s.day >= 0
	}
	if kind == "am" || kind == "pm" {
		if s.half != "" {
			return false
		}
		s.half = kind
	}
	return true
}

// clock returns the minutes after midnight. It returns false if the words name no time.
func (s *said) clock() (minutes int, ok bool) {
	hour := s.hour
	switch {
	case hour < 0 || hour > 23 || s.minute > 59 || s.half != "" && hour == 0 || s.half == "am" && hour > 12:
		return 0, false
	case s.half == "am" && hour == 12:
		hour = 0
	case s.half == "pm" && hour < 12:
		hour += 12
	}
	return 60*hour + s.minute, true
}

// parseWhen returns the next moment that the words name, and Evening.Clock: "friday 20:00", "20.30", "tomorrow 8 pm" or
// "2026-12-04 8pm". Words may be in English or in the reader's language, and a weekday may be shortened to three letters.
// It returns errEveningWhen if they name none.
func parseWhen(words string, c *lang.Catalogue, zone *time.Location, now time.Time) (at time.Time, clock int, err error) {
	now = now.In(zone)
	s := said{day: -1, hour: -1}
	for _, word := range strings.Fields(strings.NewReplacer(",", " ", "a.m.", "am", "p.m.", "pm").Replace(strings.ToLower(words))) {
		if !s.add(word, c, now) {
			return at, 0, errEveningWhen
		}
	}
	minutes, ok := s.clock()
	if !ok {
		return at, 0, errEveningWhen
	}
	from := now
	if !s.date.IsZero() {
		from = s.date
	}
	at, clock = onDay(from, 0, minutes)
	for days := 1; s.date.IsZero() && (!at.After(now) || s.day >= 0 && int(at.Weekday()) != s.day); days++ {
		at, clock = onDay(from, days, minutes)
	}
	switch {
	case !at.After(now):
		return at, 0, errEveningWhen
	case at.After(now.Add(farthest)):
		return at, 0, errEveningFar
	}
	return at, clock, nil
}

// kindOf returns which of saidWhen the word is, in the reader's language or in English, or "".
func kindOf(word string, c *lang.Catalogue) string {
	word = chat.Plain(strings.Trim(word, "."))
	for _, in := range []*lang.Catalogue{c, lang.For("en")} {
		for _, kind := range saidWhen {
			if slices.Contains(strings.Fields(chat.Plain(in.Text("words."+kind))), word) {
				return kind
			}
		}
	}
	return ""
}

// weekday returns the day that a word names, from 0 for Sunday, or -1.
func weekday(word string, c *lang.Catalogue) int {
	if len([]rune(word)) < 3 {
		return -1
	}
	for _, in := range []*lang.Catalogue{c, lang.For("en")} {
		for day := range 7 {
			if strings.HasPrefix(chat.Plain(in.Text(fmt.Sprintf("day.%d", day))), chat.Plain(word)) {
				return day
			}
		}
	}
	return -1
}

// zoneOf returns a home's time zone.
func zoneOf(h doc.Home) *time.Location { return league.CalendarOf(h).Zone }
