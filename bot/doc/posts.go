package doc

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/game/table"
)

// PostHours are the hours at which a chat may have a regular post; Off is the default.
var PostHours = []string{Off, "6", "7", "8", "9", "10", "12", "18", "20"}

// HourName returns the text of one of PostHours.
func HourName(c *lang.Catalogue, hour string) string {
	if hour == Off {
		return c.Text("pref.morning.off")
	}
	return hour + ":00"
}

// PostsChat returns the chat in which a manager of the home asks for a regular post: the one with the settings, or the one
// from which they opened the settings in private. It returns false if that isn't known. was is the chat of earlier posts.
func (d *Docs) PostsChat(ctx context.Context, in chat.Input, home string, h Home, was table.Chat) (table.Chat, bool, error) {
	here := in.TableChat()
	if in.Chat.Private {
		own, err := d.Own(ctx, in.Player.ID)
		if err != nil {
			return was, false, err
		}
		here = table.Chat{ID: own.AskedIn}
		if own.Asked != home {
			here.ID = ""
		}
	}
	if here.ID == "" {
		return was, was.ID != "", nil
	}
	here.Lang = cmp.Or(here.Lang, was.Lang, h.Locale)
	here.Bump = was.Bump
	return here, true, nil
}

// NextHour returns the next moment after now at which a clock in the zone shows the hour.
func NextHour(hour string, zone *time.Location, now time.Time) time.Time {
	n, _ := strconv.Atoi(hour)
	local := now.In(zone)
	for date := local.Day(); ; date++ {
		at := time.Date(local.Year(), local.Month(), date, n, 0, 0, 0, zone)
		if at.After(now) {
			return at
		}
	}
}
