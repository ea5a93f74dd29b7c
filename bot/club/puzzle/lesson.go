package puzzle

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/puzzle"
	"sedmabot/game/table"
)

// lesson shows a lesson after some choices. value is the number of the lesson, or nextLesson. After an underscore come
// the choices: see press.value. A lesson is the end of a deal, which the person plays against the AI. After a mistake, they try
// the choice again. A lesson counts for no rating.
func (room *Room) lesson(ctx context.Context, in chat.Input, value string) chat.Reply {
	book, err := room.book()
	if err != nil {
		return in.Refuse(err)
	}
	value, made, _ := strings.Cut(value, "_")
	number, _, _ := strings.Cut(value, "-") // after a hyphen, an old button has choices that the lessons no longer offer
	no, err := strconv.Atoi(number)
	if number == nextLesson {
		no, err = room.untaught(ctx, in.Player.ID, book)
	}
	if err != nil || no < 1 || no > len(book.lessons) {
		return in.Refuse(chat.ErrForged)
	}
	made, shown := strings.CutPrefix(made, showTricks)
	own, err := room.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	var q question
	q.Position = Position{
		Name: "lesson" + strconv.Itoa(no), Face: own.Face, Theme: book.themes[no-1], Lesson: no, Lessons: len(book.lessons), Tricks: shown,
	}
	q.New = no == 1 && made == ""
	at, last, err := room.playLesson(ctx, &book.lessons[no-1], &q.Position, made)
	if err != nil {
		return in.Refuse(err)
	}
	if q.Rulings = room.judged(ctx, last); len(q.Rulings) > 0 && last.lost() > 0 && q.Rulings[0].Why.Cause != ai.Equal {
		q.Better = last.choices[0].Move
	}
	if last.mistake() {
		return q.reply(in, Solution{Position: q.Position, Chosen: last.move, Best: last.choices[0].Move})
	}
	if !at.Over() {
		return q.reply(in, q.Position)
	}
	if err := room.taught(ctx, in, string(q.Theme)); err != nil {
		return in.Refuse(err)
	}
	return q.reply(in, lessonEnd{Position: q.Position, Past: finishedDeal(at)})
}

// playLesson plays the lesson's deal with the choices made, and fills in the position after them. It returns what is known of
// the latest choice. If that is a mistake, the position is the one before it.
func (room *Room) playLesson(ctx context.Context, of *puzzle.Puzzle, p *Position, made string) (at game.State, last choice, err error) {
	if at, err = of.State(); err != nil {
		return at, last, err
	}
	seat := at.Turn()
	ctx, cancel := context.WithTimeout(ctx, work.WhyTimeout)
	defer cancel()
	busy := room.thinkers.Take(ctx, func(context.Context) {
		level := ai.Levels[len(ai.Levels)-1]
		others := func(v game.View) game.Move { return room.thinkers.Move(ctx, level, v, game.Match{}) }
		for i, letter := range []byte(made) {
			moves := puzzle.Moves(at.View(seat))
			chosen := int(letter) - 'a'
			if at.Over() || chosen < 0 || chosen >= len(moves) {
				err = chat.ErrForged
				return
			}
			move := moves[chosen]
			p.First = append(p.First, move)
			if i == len(made)-1 {
				last = choice{view: at.View(seat), move: move}
				if last.choices, err = puzzle.Judge(ctx, last.view); err != nil || last.mistake() {
					break
				}
			}
			if at, p.Since, err = puzzle.PlayOn(at, seat, []game.Move{move}, others); err != nil {
				return
			}
			p.Made = made[:i+1]
		}
	})
	if err = cmp.Or(err, busy, ctx.Err()); err != nil {
		return at, last, err
	}
	p.View = at.View(seat)
	p.Choices = puzzle.Moves(p.View)
	return at, last, nil
}

// choice is a choice that the reader of a lesson made. The zero choice is none.
type choice struct {
	view    game.View
	move    game.Move
	choices []puzzle.Choice // the best first
}

// lost returns by how many stakes the choice is worse than the best.
func (c choice) lost() float64 {
	i := slices.IndexFunc(c.choices, func(o puzzle.Choice) bool { return o.Move == c.move })
	if i < 0 {
		return 0
	}
	return c.choices[0].Score - c.choices[i].Score
}

func (c choice) mistake() bool { return c.lost() >= puzzle.Slip }

// judged returns why the reader's choice is right or wrong: why the best is better than it, or it is better than the second.
func (room *Room) judged(ctx context.Context, c choice) []Ruling {
	if len(c.choices) < 2 {
		return nil
	}
	other := c.choices[1]
	if c.move != c.choices[0].Move {
		other = puzzle.Choice{Move: c.move, Score: c.choices[0].Score - c.lost()}
	}
	all := room.rulings(ctx, c.view, []puzzle.Choice{c.choices[0], other})
	why := &all[0].Why
	switch {
	case all[0].Cost < ai.Even && why.Cause != ai.Open && why.Cause != ai.Equal:
		*why = view.Reason{Cause: ai.Equal, Better: c.choices[0].Move, Other: other.Move}
	case why.Cause == ai.Equal && c.mistake(): // more ways of judging than one have said that they aren't
		*why = view.Reason{}
	case why.Cause == ai.Equal:
		all[0].Cost = 0
	}
	if c.move != why.Better {
		why.Advice = ai.NoAdvice // the reader didn't follow it, and wasn't wrong
	}
	return all
}

// untaught returns the number of the first lesson that the person hasn't done, or 1 if they did all.
func (room *Room) untaught(ctx context.Context, player string, book *book) (int, error) {
	var ladder league.Ladder
	if _, err := room.docs.Get(ctx, league.LadderKey(player), &ladder); err != nil {
		return 0, err
	}
	return book.untaught(ladder), nil
}

// untaught returns the number of the first lesson that the person with the ladder hasn't done, or 1 if they did all.
func (b *book) untaught(ladder league.Ladder) int {
	return 1 + max(0, slices.IndexFunc(b.themes, func(theme puzzle.Theme) bool { return !slices.Contains(ladder.Lessons, string(theme)) }))
}

// taught notes on the person's ladder that they did the lesson about the theme.
func (room *Room) taught(ctx context.Context, in chat.Input, theme string) error {
	var ladder league.Ladder
	return doc.Set(ctx, room.docs, "", league.LadderKey(in.Player.ID), &ladder, func() error {
		if !ladder.Taught(theme) {
			return doc.ErrSame
		}
		return nil
	})
}

// finishedDeal returns the finished deal of a lesson.
func finishedDeal(s game.State) table.Past {
	v := s.View(0)
	result, _ := s.Result()
	after, score := game.NewMatch(v.Rules, v.Dealer).Settle(result)
	return table.Past{No: 1, Result: result, Score: score, Totals: after.Scores, Tricks: v.Tricks}
}

// lessonEnd is the end of a lesson's deal.
type lessonEnd struct {
	Position
	Past table.Past
}

// Screen says what the lesson was about, and how the deal ended.
func (e lessonEnd) Screen(c *lang.Catalogue) screen.Screen {
	w := e.write(c)
	view.ShowEnd(w, e.seats(w), e.Past)
	return w.Screen
}

// onFelt returns the end of the deal for a page, which shows it on its felt.
func (e lessonEnd) onFelt(c *lang.Catalogue) *chat.Position {
	w := e.write(c)
	return &chat.Position{Name: e.Name, Table: e.seats(w), Beside: w.Screen, Lang: c.Code()}
}

func (e lessonEnd) write(c *lang.Catalogue) *view.Writer {
	w := e.titled(c)
	e.since(w)
	view.DealEnd(w, e.seats(w), e.Past)
	w.Say(screen.Plain, "puzzle.learned."+string(e.Theme))
	again := screen.Button{Label: w.Text("button.again"), Press: press{what: askLesson, value: strconv.Itoa(e.Lesson)}.String()}
	if e.Lesson == e.Lessons {
		w.Row(w.Button(screen.PressOf(view.ActSolo), screen.Primary), again)
		return w
	}
	next := strconv.Itoa(e.Lesson + 1)
	w.Row(screen.Button{Label: w.Text("button.puzzle_lesson", "no", next), Tone: screen.Primary, Press: press{what: askLesson, value: next}.String()}, again)
	return w
}
