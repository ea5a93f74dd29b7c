package game

// A Taking says what takes the open trick, and what the trick wins. It follows from what everybody may know. Before the
// lead, and after the deal, it is the zero value.
type Taking struct {
	Ranks    Ranks // a card of these ranks, played now, becomes the winning card; the special seven is apart
	Special  bool  // the special seven does so too
	Burn     Rank  // a card of this rank burns: it ends the deal, which its player's side wins; 0: none does
	Fatal    bool  // a seven, played now, is the deal's last card, and its player's side loses the deal
	Continue Ranks // ranks with which the leader may continue, if that is the decision; the special seven is a seven
	Points   int   // what the trick counts as it is, with the reward for the last trick
	Last     bool  // whatever is played, this is the last trick of the deal
}

// Taking returns what takes the open trick.
func (s State) Taking() (t Taking) {
	if s.d == nil || s.phase != Follow && s.phase != Decide {
		return t
	}
	d, left := s.d, uint8(0) // left: how many cards are in all hands
	for p := range d.players {
		left += s.count[p]
	}
	after := s
	after.count[s.turn]--
	t.Last = s.phase == Follow && s.stock() == 0 && left == s.following()
	ranks := frenchRanks
	if d.rules.Deck == German32 {
		ranks = germanRanks
	}
	taken := func(r uint8) bool { return takes(&s, r) && !deadSeven(&after, s.turn, r) }
	for r := range uint8(16) {
		if ranks>>r&1 == 0 {
			continue
		}
		if taken(r) {
			t.Ranks |= 1 << r
		}
		if s.phase == Decide && s.extends(r) {
			t.Continue |= 1 << r
		}
	}
	t.Special = d.special != 0 && taken(seven)
	if rank := Rank(rankLetters[s.runRank]); d.burn && s.run >= 3 && (d.burnRun || s.cards == 3) && d.rules.Burn.Of(rank) > 0 {
		t.Burn = rank
	}
	t.Fatal = d.rules.FinalSeven == SevenLoses && s.stock() == 0 && left == 1
	t.Points = int(s.trickPoints) + d.rules.TrickPoints
	if d.rules.TrickUnit == ByRound {
		t.Points = int(s.trickPoints) + d.rules.TrickPoints*int(s.rounds)
	}
	if t.Last {
		t.Points += d.rules.LastTrick
	}
	return t
}

// following returns how many seats still play a card in this round.
func (s *State) following() (n uint8) {
	for q := s.turn; q != s.leader; q = s.after(q) {
		if s.count[q] > 0 {
			n++
		}
	}
	return n
}
