package puzzle

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
)

// lesson asks the puzzle of a lesson, or answers it. value is the number of the lesson, or nextLesson. After a hyphen come
// the choices, as in press.value. A lesson counts for no rating and can be tried again.
func (room *Room) lesson(ctx context.Context, in chat.Input, home, value string) chat.Reply {
	book, err := room.book()
	if err != nil {
		return in.Refuse(err)
	}
	number, numbers, _ := strings.Cut(value, "-")
	no, err := strconv.Atoi(number)
	if number == nextLesson {
		no, err = room.untaught(ctx, in.Player.ID, book)
	}
	if err != nil || no < 1 || no > len(book.lessons) {
		return in.Refuse(chat.ErrForged)
	}
	numbers, shown := strings.CutPrefix(numbers, showTricks)
	name := book.lessons[no-1]
	set := func(q *question) {
		q.Lesson, q.Lessons, q.Theme, q.Date = no, len(book.lessons), book.themes[no-1], ""
	}
	if shown || numbers == "" {
		q, err := room.question(ctx, in, home, name, numbers)
		if err != nil {
			return in.Refuse(err)
		}
		set(&q)
		q.Tricks = shown
		return q.reply(in, q.Position)
	}
	q, move, right, err := room.chosen(ctx, in, home, name, numbers)
	if err != nil {
		return in.Refuse(err)
	}
	set(&q)
	if right && len(numbers) < q.Steps {
		if err := q.forward(len(numbers)); err != nil {
			return in.Refuse(err)
		}
		return q.reply(in, q.Position)
	}
	if right {
		if err := room.taught(ctx, in, string(q.Theme)); err != nil {
			return in.Refuse(err)
		}
	}
	done := Solution{Position: q.Position, Chosen: move, Why: room.why(ctx, q, move)}
	if done.fill(q.sheet.Puzzle); no < len(book.lessons) {
		done.Next = no + 1
	}
	return q.reply(in, done)
}

// untaught returns the number of the first lesson that the person hasn't solved, or 1 if they solved all.
func (room *Room) untaught(ctx context.Context, player string, book *book) (int, error) {
	var ladder league.Ladder
	if _, err := room.docs.Get(ctx, league.LadderKey(player), &ladder); err != nil {
		return 0, err
	}
	return 1 + max(0, slices.IndexFunc(book.lessons, func(name string) bool {
		return !slices.Contains(ladder.Lessons, string(book.themes[slices.Index(book.lessons, name)]))
	})), nil
}

// taught notes on the person's ladder that they solved the lesson about the theme.
func (room *Room) taught(ctx context.Context, in chat.Input, theme string) error {
	var ladder league.Ladder
	return doc.Set(ctx, room.docs, "", league.LadderKey(in.Player.ID), &ladder, func() error {
		if !ladder.Taught(theme) {
			return doc.ErrSame
		}
		return nil
	})
}
