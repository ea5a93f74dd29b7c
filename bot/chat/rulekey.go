package chat

import (
	"errors"

	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// RuleKeys are the text keys for moves that break a rule of play.
var RuleKeys = map[game.Rule]string{
	game.DealOver:        "rule.deal_over",
	game.NotOnTurn:       "rule.not_on_turn",
	game.NotInHand:       "rule.not_in_hand",
	game.NotContinuation: "rule.not_continuation",
	game.LeadBanned:      "rule.lead_banned",
	game.NoDark:          "rule.no_dark",
	game.NoPass:          "rule.no_pass",
	game.NoStop:          "rule.no_stop",
	game.NoMove:          "rule.no_move",
}

// RuleKey returns the catalogue key of the reason why a person's request was refused.
// For an error that is not a refusal, it returns the key of an apology.
func RuleKey(err error) string {
	var rule game.Rule
	if errors.As(err, &rule) {
		if key, ok := RuleKeys[rule]; ok {
			return key
		}
	}
	var refusal table.Refusal
	if errors.As(err, &refusal) {
		if key := "refusal." + string(refusal); lang.For("en").Has(key) {
			return key
		}
	}
	return "reply.trouble"
}
