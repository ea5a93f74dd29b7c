package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"sedmabot/bot"
	"sedmabot/bot/discord"
)

// syncEmojis uploads the missing card emojis to the Discord application of the
// token.
func syncEmojis(ctx context.Context, c Config, stdout io.Writer) error {
	if c.Discord.Token.Reveal() == "" {
		return errors.New("discord.token is not set: whose emojis?")
	}
	p, err := discord.New(discord.Config{Commands: bot.Commands(c.Rooms...), Token: c.Discord.Token.Reveal(), APIBase: c.Discord.APIBase, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	uploaded := 0
	err = p.SyncEmojis(ctx, func(done, missing int) {
		uploaded = done
		if done > 0 && done%10 == 0 && done < missing {
			fmt.Fprintf(stdout, "%d of %d uploaded\n", done, missing)
		}
	})
	if err != nil {
		return err
	}
	if uploaded == 0 {
		_, err = fmt.Fprintln(stdout, "all cards are there")
	} else {
		_, err = fmt.Fprintf(stdout, "%d emojis uploaded, all cards are there: a bot that runs shows them after its next start\n", uploaded)
	}
	return err
}
