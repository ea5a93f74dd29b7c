package view

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/table"
)

// lessonScene returns a scene with a lesson for Eva.
func lessonScene(t testing.TB, language string) *scene {
	t.Helper()
	player := eva
	player.Lang = language
	lesson, err := table.NewLesson("k3", eva.ID, table.Chat{ID: eva.ID, ChatSettings: table.ChatSettings{Lang: language}}, player, 0, table.DefaultLimit, noon)
	if err != nil {
		t.Fatal(err)
	}
	return &scene{t: t, now: noon, think: first, table: lesson}
}

// lessonLine are Eva's moves that the lesson was made for.
var lessonLine = strings.Fields("9a 9h stop 9l stop 8l Ah 7h 9b stop Kb")

// playLine plays the lesson to its end, with Eva's moves on the line or instead[i] for the
// one with number i. Off the line, where such a move isn't legal, she plays any. It calls
// each for every state that a screen could show.
func (s *scene) playLine(instead map[int]string, each func(p table.Private)) {
	s.t.Helper()
	look := func() {
		if p, _ := s.table.Private(eva.ID); p.Phase == table.Playing {
			each(p)
		}
	}
	for look(); s.table.Phase == table.Playing; look() {
		v := s.table.Deal.View(0)
		if v.Turn != 0 || v.Forced {
			// Each of the AI's moves is seen, as at a table with a pace.
			s.table.Pace = 1
			s.now = s.table.Due()
			s.wait()
			continue
		}
		text := lessonLine[min(v.Decisions[0], len(lessonLine)-1)]
		if other, ok := instead[v.Decisions[0]]; ok {
			text = other
		}
		move, err := game.ParseMove(text)
		if err != nil {
			s.t.Fatal(err)
		}
		if !slices.Contains(v.Legal, move) {
			move = v.Legal[0]
		}
		s.play(move)
	}
}

// keysOf returns the keys of the remark's texts.
func keysOf(p table.Private) (keys []string) {
	for _, t := range lessonOf(p).texts() {
		keys = append(keys, t.key)
	}
	return keys
}

func TestLessonScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		s := lessonScene(t, language)
		shown := 0
		s.playLine(nil, func(p table.Private) {
			if mine := p.Turn == p.Seat && !p.View.Forced; mine || len(p.View.Log) == 0 || len(p.View.Tricks) == 1 && len(p.View.Trick) == 0 {
				shown++
				screentest.Golden(t, language, "lesson-"+string(rune('a'-1+shown)), s.show(nil))
			}
		})
		screentest.Golden(t, language, "lesson-over", s.show(nil))
		s.do(eva, table.Rematch{})
		screentest.Golden(t, language, "lesson-rematch", s.show(nil))
		s = lessonScene(t, language)
		s.playLine(map[int]string{1: "Kb", 6: "Ah"}, func(p table.Private) {
			if p.View.Decisions[0] == 2 && p.Turn == p.Seat {
				screentest.Golden(t, language, "lesson-wrong", s.show(nil))
			}
		})
	})
}

// TestTheLessonTeachesInOrder checks what the lesson says at each decision of its line.
func TestTheLessonTeachesInOrder(t *testing.T) {
	t.Parallel()
	var remarks []string
	s := lessonScene(t, "en")
	s.playLine(nil, func(p table.Private) {
		if p.Turn == p.Seat && !p.View.Forced {
			remarks = append(remarks, strings.Join(keysOf(p), " + "))
		}
	})
	want := []string{
		"welcome",                        // the player leads
		"decide.back + decide.back.do",   // continue
		"decide.ours + decide.ours.do",   // stop
		"draw + lead.pair.do",            // lead a pair
		"decide.empty + decide.empty.do", // stop without a fight
		"throw + throw.do",               // nobody can match the card
		"give + give.do",                 // the partner matches it, and gets an ace
		"continued + take.seven.do",      // an opponent continues, and a seven takes
		"took.seven.you + lead.low.do",   // lead a low card
		"last + last.do",                 // the last trick's ten decides
	}
	if !slices.Equal(remarks, want) {
		t.Errorf("the lesson says\n%s\nand not\n%s", strings.Join(remarks, "\n"), strings.Join(want, "\n"))
	}
	if score := s.table.Past[0].Score.Points; score[0] != 80 || score[1] != 10 {
		t.Errorf("the lesson ends %v", score)
	}
}

// A lesson says on its page what it says in the chat, at each moment of its line, and also after a move that wasn't meant.
func TestALessonSaysTheSameOnItsPage(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]map[int]string{"right": nil, "wrong": {1: "Kb", 6: "Ah"}} {
		s := lessonScene(t, "en")
		looks := 0
		s.playLine(other, func(p table.Private) {
			if !HasPage(p) {
				t.Fatalf("%s: the lesson has no page", name)
			}
			shown := tableAndHand(p)
			for _, b := range SeatLive(p).Remark {
				said := ""
				for _, span := range b.Spans {
					said += span.Text
				}
				if said == "" || !strings.Contains(shown.String(), said) {
					t.Errorf("%s: the page says %q, and the chat\n%s", name, said, shown)
				}
				looks++
			}
		})
		if looks < 12 {
			t.Errorf("%s: only %d remarks", name, looks)
		}
	}
}

// TestTheLessonTakesSixMinutes plays the whole line with a player who reads 150 words a
// minute, at each turn the remark and at the end the result, and takes ten seconds for each
// press. Remarks between the turns are read during the AI's pauses.
func TestTheLessonTakesSixMinutes(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		const pace = 1500 * time.Millisecond // the default of table.pace
		s := lessonScene(t, language)
		var pauses time.Duration
		presses, words := 0, 0
		s.playLine(nil, func(p table.Private) {
			if p.Turn == p.Seat && !p.View.Forced {
				presses++
				w := PrivateWriter(p)
				w.Block(screen.Quote, w.remark(lessonOf(p).texts()))
				words += len(strings.Fields(w.Screen.String()))
				return
			}
			paced := s.table
			paced.Pace = pace
			pauses += paced.Due().Sub(paced.Since)
		})
		at := channelOf(s.table.Public(), s.table.Chats[0])
		words += len(strings.Fields(at.lessonOver().String()))
		spent := pauses + time.Duration(presses)*10*time.Second + time.Duration(words)*time.Minute/150
		if spent > 6*time.Minute {
			t.Errorf("the lesson takes %v", spent)
		}
		t.Logf("%v: %d presses, %d words, %v of pauses", spent.Round(time.Second), presses, words, pauses.Round(time.Second))
	})
}

// sentenceEnd matches the end of a sentence.
var sentenceEnd = regexp.MustCompile(`[.!?…]+["”“»’)]*(\s|$)`)

// checkRemark fails if the remark of this moment has no sentence, or more than two; three if it is about a move that wasn't meant.
func checkRemark(t rapid.TB, p table.Private) {
	t.Helper()
	w := PrivateWriter(p)
	w.Block(screen.Quote, w.remark(lessonOf(p).texts()))
	check(t, "remark", w.Screen)
	text := strings.TrimSpace(w.Screen.String())
	if n := len(sentenceEnd.FindAllString(text, -1)); n < 1 || n > sentences && !(lessonOf(p).wrong && n <= sentences+1) {
		t.Fatalf("%d sentences: %s", n, text)
	}
	if !sentenceEnd.MatchString(text[len(text)-1:]) {
		t.Fatalf("a sentence without an end: %s", text)
	}
}

// TestRemarksAreShort checks every remark of the line, and of lines where the player
// presses something else, in every language: it is short, and the message begins with it.
func TestRemarksAreShort(t *testing.T) {
	clocktest.Waits(t)
	screentest.Each(t, func(t *testing.T, language string) {
		for _, instead := range []map[int]string{nil, {0: "Ah"}, {1: "Kb"}, {2: "9a"}, {3: "Kb"}, {4: "stop"}, {5: "9b"}, {6: "7l"}, {7: "7l"}, {8: "7l"}} {
			s := lessonScene(t, language)
			s.playLine(instead, func(p table.Private) {
				checkRemark(t, p)
				w := PrivateWriter(p)
				text := screen.PlainText(w.Screen.Face, w.remark(lessonOf(p).texts()))
				posts := ownPosts(chatPosts(p.Public, p.Chats[0], nil), p)
				deal := posts[slices.IndexFunc(posts, func(p screen.Post) bool { return p.Key == "deal:1" })].Screen
				if first := screen.PlainText(deal.Face, deal.Blocks[0].Spans); first != text {
					t.Fatalf("the message does not begin with %q, but with %q", text, first)
				}
				if n := deal.Letters(); n > tableLetters {
					t.Errorf("%d letters:\n%s", n, deal)
				}
			})
		}
	})
}

// TestRemarksAreTrue checks remarks with any moves of anyone. Each is true about the table,
// and one always says what the player can do. Each is said at some time.
func TestRemarksAreTrue(t *testing.T) {
	t.Parallel()
	covered, lessons := map[string]bool{}, map[string]table.Table{}
	for _, language := range lang.Languages() {
		lessons[language] = lessonScene(t, language).table
	}
	play := func(t *rapid.T) {
		s := scene{table: lessons[rapid.SampledFrom(lang.Languages()).Draw(t, "language")]}
		for !s.table.Deal.Over() {
			p, _ := s.table.Private(eva.ID)
			checkRemark(t, p)
			l := lessonOf(p)
			for _, remark := range append(l.texts(), l.lookBack()...) {
				covered[remark.key] = true
				if !holds(remark.key, p, remark.l.v) {
					t.Fatalf("%q is said of %+v", remark.key, remark.l.v)
				}
			}
			keys := keysOf(p)
			if does := strings.HasSuffix(keys[len(keys)-1], ".do"); does != (p.Turn == p.Seat) && len(p.View.Log) > 0 {
				t.Fatalf("%q is said, on turn %d", keys, p.Turn)
			}
			seat := s.table.Public().Turn
			deal, err := game.Apply(s.table.Deal, seat, rapid.SampledFrom(s.table.Deal.View(seat).Legal).Draw(t, "move"))
			if err != nil {
				t.Fatal(err)
			}
			s.table.Deal = deal
		}
	}
	texts, err := os.ReadFile("../lang/en.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for range 10 { // a remark may be rare
		rapid.Check(t, play)
		missing = nil
		for _, key := range regexp.MustCompile(`(?m)^lesson\.([a-z.]+):`).FindAllStringSubmatch(string(texts), -1) {
			if !covered[key[1]] && !slices.Contains([]string{"over", "half", "match"}, key[1]) {
				missing = append(missing, key[1])
			}
		}
		if missing == nil {
			return
		}
	}
	t.Errorf("never said: %q", missing)
}

// facts are what a view says by the rules alone.
type facts struct {
	v                            game.View
	follow, decide, lead         bool              // what the player has to do
	partner, ours, theirs        bool              // who is winning the open trick
	worth                        int               // points in it
	low, counting, equal, sevens int               // cards in the player's hand: worth nothing and no sevens, worth points, of the led rank, sevens
	ranks                        map[game.Rank]int // number of low cards by rank
}

func factsOf(v game.View) facts {
	mine := v.Turn == v.Seat
	f := facts{
		v: v, follow: mine && v.Phase == game.Follow, decide: mine && v.Phase == game.Decide && !v.Forced, lead: mine && v.Phase == game.Lead,
		partner: v.Winner == 2, ours: v.Winner == 2 || v.Winner == v.Seat, theirs: v.Winner == 1 || v.Winner == 3, ranks: map[game.Rank]int{},
	}
	for _, play := range v.Trick {
		f.worth += v.Rules.CardPoints.Of(play.Card.Rank())
	}
	for _, c := range v.Hand {
		switch {
		case c == 0:
			continue
		case c.Rank() == 'A' || c.Rank() == 'T':
			f.counting++
		case c.Rank() == '7':
			f.sevens++
		default:
			f.low++
			f.ranks[c.Rank()]++
		}
		if len(v.Trick) > 0 && c.Rank() == v.Trick[0].Card.Rank() {
			f.equal++
		}
	}
	return f
}

// took returns the key of how the latest trick was won.
func (f facts) took() string {
	if len(f.v.Tricks) == 0 {
		return ""
	}
	trick := f.v.Tricks[len(f.v.Tricks)-1]
	at, led := 0, trick.Plays[0].Card.Rank()
	for i, play := range trick.Plays {
		if r := play.Card.Rank(); r == led || r == '7' {
			at = i
		}
	}
	switch {
	case trick.Plays[at].Seat != trick.Winner:
		return ""
	case at == 0:
		return "took.lead"
	case trick.Plays[at].Card.Rank() == led:
		return "took.equal"
	}
	return "took.seven"
}

// won reports whether the player took the latest trick.
func (f facts) won() bool { return f.v.Tricks[len(f.v.Tricks)-1].Winner == f.v.Seat }

// continued reports whether a leader has continued the open trick, and the player has yet
// to answer.
func (f facts) continued() bool {
	mine, leaders := 0, 0
	for _, play := range f.v.Trick {
		switch play.Seat {
		case f.v.Seat:
			mine++
		case f.v.Leader:
			leaders++
		}
	}
	return leaders > 1 && mine == leaders-1
}

// holds reports whether a text of a remark is true of a view. For what should have been
// done ("wrong."), v is the player's view at that time, and p.Made is what they did.
func holds(key string, p table.Private, v game.View) bool {
	f := factsOf(v)
	if what, wrong := strings.CutPrefix(key, "wrong."); wrong {
		return f.wrong(what, p.Made)
	}
	switch strings.TrimSuffix(key, ".do") {
	case "welcome":
		return v.Decisions[p.Seat] == 0
	case "right":
		return v.Decisions[p.Seat] > 0 && v.Turn != p.Seat
	case "wait":
		return v.Turn != p.Seat
	case "continued":
		return f.continued()
	case "took.lead", "took.equal", "took.seven":
		return f.took() == key && !f.won()
	case "took.lead.you", "took.equal.you", "took.seven.you":
		return f.took()+".you" == key && f.won()
	case "draw":
		return len(v.Tricks) == 1 && v.Counts[p.Seat] == 4
	case "stock":
		return v.Stock == 0
	case "last":
		return v.Stock == 0 && (f.follow || f.lead) && v.Counts[p.Seat] == 1 && slices.Max(v.Counts) == 1
	case "forced.you":
		return v.Forced && f.equal+f.sevens == 0 && v.Winner == v.Seat
	case "forced":
		return v.Forced && f.equal+f.sevens == 0 && (key == "forced" || v.Winner != v.Seat)
	case "decide.ours":
		return f.decide && f.ours
	case "decide.back":
		return f.decide && f.theirs && f.worth > 0 && f.equal+f.sevens > 0
	case "decide.empty":
		return f.decide && f.theirs && f.worth == 0 && f.equal+f.sevens > 0
	case "lead.pair":
		return f.lead && len(f.ranks) < f.low
	case "lead.low":
		return f.lead && f.low > 0
	case "lead.any":
		return f.lead && f.low == 0
	case "give":
		return f.follow && f.partner && f.counting > 0 && v.Leader == 1 // so nobody plays after the player
	case "leave":
		return f.follow && f.partner
	case "winning":
		return f.follow && f.theirs
	case "save":
		return f.follow && f.theirs && f.worth == 0 && f.sevens > 0 && f.equal == 0
	case "take.seven":
		return f.follow && f.theirs && f.worth > 0 && f.sevens > 0 && f.equal == 0
	case "take":
		return f.follow && f.theirs && f.worth > 0 && f.equal > 0
	case "take.empty":
		return f.follow && f.theirs && f.worth == 0 && f.equal+f.sevens > 0
	case "throw":
		return f.follow && f.theirs && f.equal+f.sevens == 0
	}
	return false
}

// wrong reports whether a lesson may say that a move was not the one that it meant.
func (f facts) wrong(what string, made game.Move) bool {
	card, played := made.Card()
	points := f.v.Rules.CardPoints.Of(card.Rank())
	takes := played && len(f.v.Trick) > 0 && (card.Rank() == '7' || card.Rank() == f.v.Trick[0].Card.Rank())
	switch what {
	case "ours":
		return f.decide && f.ours && played
	case "back":
		return f.decide && f.theirs && f.worth > 0 && f.equal+f.sevens > 0 && !played
	case "empty":
		return f.decide && f.theirs && f.worth == 0 && played
	case "pair":
		return f.lead && len(f.ranks) < f.low && f.ranks[card.Rank()] < 2
	case "low":
		return (f.follow || f.lead) && f.low > 0 && (points > 0 || card.Rank() == '7')
	case "give":
		return f.follow && f.partner && f.counting > 0 && points == 0
	case "leave":
		return f.follow && f.partner && takes
	case "take":
		return f.follow && f.theirs && f.worth > 0 && f.equal+f.sevens > 0 && !takes
	}
	return false
}
