package game

// Validate returns an error if the rules are not a game. The error names the option and the reason.
func (r Rules) Validate() error {
	switch {
	case r.Players != 2 && r.Players != 3 && r.Players != 4 && r.Players != 6:
		return refuse("players", "must be 2, 3, 4 or 6, not %d", r.Players)
	case r.LeadBan != 0 && r.LeadBan != 3:
		return refuse("lead_ban", "must be 3, or 0 for none, not %d", r.LeadBan)
	case r.HandSize < 1 || r.HandSize > MaxHand || r.DealPacket < 1:
		return refuse("hand_size", "and deal_packet must be at least 1, and a hand has at most %d cards", MaxHand)
	case r.WildOrder == EightOverSeven && r.Wild != RanksOf('7', '8'):
		return refuse("wild_order", "eight_over_seven needs sevens and eights as wild cards and no others")
	}
	if err := r.validatePack(); err != nil {
		return err
	}
	if r.Teams == SoloKing {
		if err := r.validateSolo(); err != nil {
			return err
		}
	}
	if err := r.validateBurning(); err != nil {
		return err
	}
	twoSides := r.Players != 3 || r.Teams == SoloKing
	switch {
	case !twoSides && (r.Scoring == ByDifference || r.Scoring == ByKovac || r.Scoring == ByRistikontra):
		return refuse("scoring", "%s needs two sides, and three players have three", r.Scoring)
	case r.FinalSeven == SevenLoses && (r.Scoring != ByStakes || !twoSides):
		return refuse("final_seven", "loses needs scoring by stakes and two sides, one of which can win instead")
	case r.Soccer() && r.Players != 2:
		return refuse("next_deal", "%s is for two players, not for %d", r.NextDeal, r.Players)
	}
	return nil
}

// validatePack returns an error if the pack can't be made or has too few cards.
func (r Rules) validatePack() error {
	if r.Removed != "" {
		removed := counts([]Card(r.Removed))
		for _, c := range []Card(r.Removed) {
			switch {
			case !r.Deck.has(c) || int(removed[c]) > r.Deck.copies():
				return refuse("removed", "names %s more often than it is in the deck %s", c, r.Deck)
			case c.Rank() == 'A' || c.Rank() == 'T' || c.Rank() == '7' || c == r.SpecialSeven:
				return refuse("removed", "may not name %s: aces, tens, sevens and the special seven stay in the pack", c)
			}
		}
	}
	if size := r.packSize(); r.Players*r.HandSize > size {
		return refuse("hand_size", "%d is too much for %d players: the pack has only %d cards", r.HandSize, r.Players, size)
	}
	return nil
}

// validateSolo returns an error for options that don't fit a solo king.
func (r Rules) validateSolo() error {
	switch {
	case r.Players != 3:
		return refuse("teams", "solo_king is for three players, not for %d", r.Players)
	case r.SpecialSeven == 0 || !r.Deck.has(r.SpecialSeven) || r.Deck.copies() != 1:
		return refuse("teams", "solo_king needs a special_seven that is in the pack once: its player is alone")
	case r.Scoring != ByStakes:
		return refuse("teams", "solo_king is played for stakes only, not for %s", r.Scoring)
	case r.Burn.On():
		return refuse("burn", "does not go with teams solo_king: with three players there is no winning by burning")
	case r.BurnedGame != 0:
		return refuse("burned_game", "does not go with teams solo_king: there is no winning by burning")
	case r.ContinueWhen != Always:
		return refuse("continue_when", "%s does not go with teams solo_king: nobody knows who the opponents are", r.ContinueWhen)
	}
	return nil
}

// validateBurning returns an error if the rules have burning without a way to score it.
func (r Rules) validateBurning() error {
	switch {
	case r.Burn.On() && r.Scoring != ByStakes:
		return refuse("burn", "needs scoring by stakes, not by %s", r.Scoring)
	case r.Burn.On() && r.Players != 2 && r.Players != 4:
		return refuse("burn", "is for two or four players, not for %d", r.Players)
	case r.BurnedGame != 0 && r.Scoring != ByStakes:
		return refuse("burned_game", "needs scoring by stakes, not by %s", r.Scoring)
	case r.BurnedGame != 0 && r.Players == 6:
		return refuse("burned_game", "is for two, three or four players, not for 6")
	}
	return nil
}
