package puzzle

import (
	"context"
	"crypto/rand"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/puzzle"
	"sedmabot/game/rating"
	"sedmabot/store"
)

// errNoPuzzle reports that a puzzle no longer exists: the program doesn't bring it any more, or it came from a home's match.
var errNoPuzzle = chat.NewRefusal("no_puzzle")

// reserved is how many coming days have puzzles that aren't offered before their day.
const reserved = 30

// tokenLength is the length of a report's token: 50 random bits.
const tokenLength = 10

// offered is how many puzzles are compared to find the one that suits a solver best.
const offered = 8

// Command asks the puzzle of the day, or shows its answer again.
func (room *Room) Command(ctx context.Context, in chat.Input) chat.Reply {
	today, err := room.today(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	return room.day(ctx, in, today)
}

// pressed handles a button of a puzzle.
func (room *Room) pressed(ctx context.Context, in chat.Input, p press) chat.Reply {
	switch p.what {
	case askDay:
		if p.value == askToday {
			reply := room.Command(ctx, in)
			reply.Replace = false // the message with the button greets the person, and stays
			return reply
		}
		return room.day(ctx, in, p.value)
	case askNext:
		return room.next(ctx, in)
	case askLesson:
		return room.lesson(ctx, in, p.value)
	}
	if made, shown := strings.CutPrefix(p.value, showTricks); shown {
		return room.tricks(ctx, in, p.what, made)
	}
	return room.answer(ctx, in, p.what, p.value)
}

// today returns today's date in the calendar of the person's chat.
func (room *Room) today(ctx context.Context, in chat.Input) (string, error) {
	home, err := room.docs.Home(ctx, in.Chat.Home)
	date, _ := league.CalendarOf(home).Today(room.docs.Now())
	return date, err
}

// dayPuzzle returns the name of the puzzle of that day. It returns false if the day hasn't come, or if there were no
// puzzles then.
func (room *Room) dayPuzzle(date, today string) (string, bool, error) {
	book, err := room.book()
	if err != nil {
		return "", false, err
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil || date > today || day.Unix() < 0 {
		return "", false, nil
	}
	return book.of(day), true, nil
}

// day asks the puzzle of a day, or shows its answer if the person has answered it.
func (room *Room) day(ctx context.Context, in chat.Input, date string) chat.Reply {
	today, err := room.today(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	name, ok, err := room.dayPuzzle(date, today)
	if err != nil {
		return in.Refuse(err)
	}
	if !ok {
		return in.Refuse(chat.ErrForged)
	}
	return room.ask(ctx, in, name)
}

// ask asks a puzzle, or shows its answer if the person has answered it.
func (room *Room) ask(ctx context.Context, in chat.Input, name string) chat.Reply {
	s, version, err := room.solver(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	a, done := s.answered(name)
	q, err := room.question(ctx, in, name, "")
	if err == nil && version == 0 {
		q.New, err = room.first(ctx, in.Player.ID)
	}
	if err == nil && done && a.Step > 0 {
		err = q.forward(a.Step)
	}
	if err != nil {
		return in.Refuse(err)
	}
	if done {
		return room.solution(ctx, in, q, a, s, Solution{Again: true})
	}
	return q.reply(in, q.Position)
}

// first reports whether the person is asked a puzzle for the first time. It creates their document, so it does so once.
func (room *Room) first(ctx context.Context, player string) (first bool, err error) {
	key := solverKey(player)
	err = room.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		if first = docs[0].Version == 0; !first {
			return doc.ErrSame
		}
		c.Writes = []store.Write{{Name: key.Name, Data: doc.Encode(Solver{Rating: rating.New()})}}
		return nil
	})
	return first, err
}

// question is a puzzle as its reader sees it, and the puzzle's document.
type question struct {
	Position

	of    *puzzle.Puzzle
	sheet Sheet
}

// asked is what a question shows: the position, or the solution.
type asked interface {
	Screen(c *lang.Catalogue) screen.Screen
	onFelt(c *lang.Catalogue) *chat.Position
}

func (q question) reply(in chat.Input, shown asked) chat.Reply {
	c := in.Catalogue()
	screen := shown.Screen(c)
	return chat.Reply{Screen: &screen, Position: shown.onFelt(c), Replace: in.Press != ""}
}

// forward leads the question on to a later choice, after the best ones before it.
func (q *question) forward(step int) error {
	p := q.of
	for i := len(q.Made); i < step && i < len(p.Then); i++ {
		best := p.ChoicesAt(i)[0].Move
		q.Made += strconv.Itoa(slices.Index(movesOf(p.ChoicesAt(i)), best) + 1)
		q.First = append(q.First, best)
		q.Since = len(q.View.Log)
		var err error
		if q.View, err = p.At(i + 1); err != nil {
			return err
		}
		for q.Since < len(q.View.Log) && q.View.Log[q.Since].Seat == q.View.Seat {
			q.Since++ // the reader's own move
		}
	}
	q.Choices = movesOf(p.ChoicesAt(len(q.Made)))
	return nil
}

// made leads the question on to the choice after those with these numbers, which must all be the best.
func (q *question) made(numbers string) error {
	if len(numbers) > len(q.of.Then) {
		return chat.ErrForged
	}
	if err := q.forward(len(numbers)); err != nil {
		return err
	}
	if q.Made != numbers {
		return chat.ErrForged
	}
	return nil
}

// tricks shows a question with its earlier tricks.
func (room *Room) tricks(ctx context.Context, in chat.Input, name, made string) chat.Reply {
	q, err := room.question(ctx, in, name, made)
	if err != nil {
		return in.Refuse(err)
	}
	q.Tricks = true
	return q.reply(in, q.Position)
}

// question returns a puzzle as its reader sees it after the choices with these numbers.
func (room *Room) question(ctx context.Context, in chat.Input, name, made string) (q question, err error) {
	if q.sheet, q.of, err = room.sheet(ctx, name); err != nil {
		return q, err
	}
	own, err := room.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return q, err
	}
	p := q.of
	q.Position = Position{Name: name, Choices: movesOf(p.Choices), Face: own.Face, Theme: p.Theme(), Steps: len(p.Then) + 1}
	if q.View, err = p.View(); err != nil {
		return q, err
	}
	if err := q.made(made); err != nil {
		return q, err
	}
	today, err := room.today(ctx, in)
	if err != nil {
		return q, err
	}
	if daily, _, err := room.dayPuzzle(today, today); err != nil {
		return q, err
	} else if daily == name {
		q.Date = today
	}
	return q, nil
}

// movesOf returns the moves of choices in an order that doesn't show which is best.
func movesOf(choices []puzzle.Choice) []game.Move {
	var moves []game.Move
	for _, c := range choices {
		moves = append(moves, c.Move)
	}
	slices.Sort(moves)
	return moves
}

// chosen returns the question at the latest of the choices with these numbers, the move that was chosen there, and
// whether it is the best one.
func (room *Room) chosen(ctx context.Context, in chat.Input, name, numbers string) (q question, move game.Move, right bool, err error) {
	last := len(numbers) - 1
	if last < 0 {
		return q, 0, false, chat.ErrForged
	}
	if q, err = room.question(ctx, in, name, numbers[:last]); err != nil {
		return q, 0, false, err
	}
	choice := int(numbers[last] - '0')
	if choice < 1 || choice > len(q.Choices) {
		return q, 0, false, chat.ErrForged
	}
	move = q.Choices[choice-1]
	return q, move, move == q.of.ChoicesAt(last)[0].Move, nil
}

// answer asks the next choice of a puzzle after a right one. After the last choice or a wrong one, it stores the person's
// first answer and shows the solution. numbers are those of the choices so far.
func (room *Room) answer(ctx context.Context, in chat.Input, name, numbers string) chat.Reply {
	q, move, right, err := room.chosen(ctx, in, name, numbers)
	if err != nil {
		return in.Refuse(err)
	}
	a := Answer{Puzzle: name, Move: move, Right: right, Step: len(q.Made)}
	if right && len(numbers) < q.Steps {
		s, _, err := room.solver(ctx, in.Player.ID)
		rulings := room.rulings(ctx, q.View, q.of.ChoicesAt(len(q.Made)))
		if err == nil {
			err = q.forward(len(numbers))
		}
		if err != nil {
			return in.Refuse(err)
		}
		if _, done := s.answered(name); !done {
			q.Rulings = rulings
			return q.reply(in, q.Position)
		}
		return room.ask(ctx, in, name)
	}
	var s Solver
	var screen Solution
	again := false // it was answered before, at another choice
	key := solverKey(in.Player.ID)
	err = room.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		s = Solver{Rating: rating.New()}
		if err := doc.Decode(docs[0], &s); err != nil {
			return err
		}
		if earlier, done := s.answered(name); done && earlier.Step == a.Step {
			a, screen.Again = earlier, true
			return doc.ErrSame
		} else if done {
			again = true
			return doc.ErrSame
		}
		before := s.Rating
		s.Rating, _ = rate(before, q.sheet.Rating, a.Right)
		s.Tried++
		if a.Right {
			s.Found++
		}
		s.Answers = append(s.Answers, a)
		s.Answers = s.Answers[max(0, len(s.Answers)-maxAnswers):]
		s.Pending = append(s.Pending, report{Puzzle: name, Right: a.Right, By: before, Token: rand.Text()[:tokenLength]})
		screen.Change = s.Rating.Shown() - before.Shown()
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(s)}}
		c.Due = []store.Mark{{ID: key.Name, At: c.Now}}
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	if again {
		return room.ask(ctx, in, name)
	}
	return room.solution(ctx, in, q, a, s, screen)
}

// rulings returns why the first of the choices is better than each other.
func (room *Room) rulings(ctx context.Context, v game.View, choices []puzzle.Choice) (all []Ruling) {
	for _, c := range choices[1:] {
		why := room.thinkers.Why(ctx, v, game.Match{}, choices[0].Move, c.Move)
		all = append(all, Ruling{Move: c.Move, Cost: choices[0].Score - c.Score, Why: view.Reason(why)})
	}
	return all
}

// solution shows the solution of a puzzle to a person who has answered it. It fills in the rest of the screen.
func (room *Room) solution(ctx context.Context, in chat.Input, q question, a Answer, s Solver, screen Solution) chat.Reply {
	today, err := room.unanswered(ctx, in, s)
	if err != nil {
		return in.Refuse(err)
	}
	screen.Position, screen.Chosen, screen.Today = q.Position, a.Move, today
	for i := len(q.Made); i <= len(q.of.Then); i++ {
		v, err := q.of.At(i)
		if err != nil {
			return in.Refuse(err)
		}
		choices := q.of.ChoicesAt(i)
		if i == len(q.Made) {
			screen.Best, screen.Rulings = choices[0].Move, room.rulings(ctx, v, choices)
		} else {
			screen.Later = append(screen.Later, room.rulings(ctx, v, choices[:2])...)
		}
	}
	if s, err := q.of.After(); err == nil {
		screen.After = s.View(q.View.Seat)
	}
	screen.Tried, screen.Found, screen.Rating, screen.Level = q.sheet.Tried, q.sheet.Found, s.Rating.Shown(), q.sheet.Rating.Shown()
	if !slices.ContainsFunc(s.Pending, func(r report) bool { return r.Puzzle == a.Puzzle }) { // the numbers include the reader's own answer
		screen.Tried--
		if a.Right {
			screen.Found--
		}
	}
	return q.reply(in, screen)
}

// unanswered returns today's date if the person hasn't answered today's puzzle, or "".
func (room *Room) unanswered(ctx context.Context, in chat.Input, s Solver) (string, error) {
	today, err := room.today(ctx, in)
	if err != nil {
		return "", err
	}
	name, _, err := room.dayPuzzle(today, today)
	if _, done := s.answered(name); done || err != nil {
		return "", err
	}
	return today, nil
}

// next asks a puzzle that the person hasn't answered: of several, the one whose rating is nearest to theirs.
func (room *Room) next(ctx context.Context, in chat.Input) chat.Reply {
	s, _, err := room.solver(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	name, err := room.suiting(ctx, s)
	if err != nil {
		return in.Refuse(err)
	}
	if name != "" {
		return room.ask(ctx, in, name)
	}
	today, err := room.unanswered(ctx, in, s)
	if err != nil {
		return in.Refuse(err)
	}
	none := NoneLeft(in.Catalogue(), today)
	return chat.Reply{Screen: &none, Replace: in.Press != ""}
}

// suiting returns the name of a puzzle that suits the solver best, or "" if none is left.
func (room *Room) suiting(ctx context.Context, s Solver) (string, error) {
	names, err := room.namesFor(s)
	if err != nil || len(names) == 0 {
		return "", err
	}
	var keys []store.Key
	for _, name := range names {
		keys = append(keys, sheetKey(name))
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return "", err
	}
	best, least := "", math.Inf(1)
	for i, stored := range docs {
		sheet := Sheet{Rating: room.seedOf(names[i])}
		if err := doc.Decode(stored, &sheet); err != nil {
			return "", err
		}
		if far := math.Abs(sheet.Rating.Mu - s.Rating.Mu); far < least {
			best, least = names[i], far
		}
	}
	return best, nil
}

// namesFor returns the names of some puzzles that the solver hasn't answered.
func (room *Room) namesFor(s Solver) ([]string, error) {
	book, err := room.book()
	if err != nil {
		return nil, err
	}
	// Begin at another puzzle each time, so that people don't all get the same one first.
	from := 37 * len(s.Answers) % len(book.names)
	names := slices.Concat(book.names[from:], book.names[:from])
	now := room.docs.Now()
	for day := -1; day <= reserved; day++ {
		names = slices.DeleteFunc(names, func(name string) bool { return name == book.of(now.AddDate(0, 0, day)) })
	}
	names = slices.DeleteFunc(names, func(name string) bool { _, done := s.answered(name); return done })
	return names[:min(offered, len(names))], nil
}
