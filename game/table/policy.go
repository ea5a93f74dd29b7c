package table

import (
	"cmp"
	"time"
)

// Policy is what the room that opens a table decides about it. The rest of the program asks for these answers, and never
// which room it was. The zero value is the policy of a table that people open in their chat.
type Policy struct {
	Owner   string  `json:"owner,omitempty"`   // name of the room that is told when a deal or the match ends; "": none
	Refusal Refusal `json:"refusal,omitempty"` // answer to a person who wants what the policy refuses

	// The rights of people.
	Hostless bool `json:"hostless,omitempty"` // nobody is its host: nobody closes it, or changes its game, its AI seats or its chats
	Once     bool `json:"once,omitempty"`     // it plays one match to its end, in its first chats: no rematch, no last deal, no other chat
	Runs     bool `json:"runs,omitempty"`     // nobody starts or halts it, and it continues even if nobody is there
	NoVotes  bool `json:"no_votes,omitempty"` // players don't vote that the AI plays for another one
	NoLate   bool `json:"no_late,omitempty"`  // nobody takes an AI's seat of the running match
	NoHints  bool `json:"no_hints,omitempty"` // the AI advises nobody
	Phrases  bool `json:"phrases,omitempty"`  // players may say one of Phrases
	OneTry   bool `json:"one_try,omitempty"`  // nobody gets this deal again, so whoever wants to leave it is asked first

	// Where it is shown, and what of it.
	Private     bool   `json:"private,omitempty"`      // it is shown only in the private chats of its players
	Aside       string `json:"aside,omitempty"`        // with Private: chat where a player may get messages that nobody else sees; "": none
	Masked      bool   `json:"masked,omitempty"`       // players don't learn each other's ids, nor names that these don't show outside
	OneDeal     bool   `json:"one_deal,omitempty"`     // its match is one deal, so nobody needs to be told that this is the last one
	Coached     bool   `json:"coached,omitempty"`      // remarks explain each step, so screens leave out what these say
	SecretSeeds bool   `json:"secret_seeds,omitempty"` // the seeds of finished deals stay secret

	// Its results.
	Unlisted   bool      `json:"unlisted,omitempty"`   // it takes no room in its home, where people may open others
	Uncounted  bool      `json:"uncounted,omitempty"`  // its matches are in no ledger
	Unrecorded bool      `json:"unrecorded,omitempty"` // no event reports the end of its deals and its match
	Sealed     time.Time `json:"sealed,omitzero"`      // nothing about its match is told before this time
	Zone       string    `json:"zone,omitempty"`       // with Sealed: the time zone in which that is midnight
	Even       bool      `json:"even,omitempty"`       // others play the same deal, so the AI always takes its full time
	Equals     bool      `json:"equals,omitempty"`     // an AI that is a person's partner plays at the table's level, as its opponents do
}

// refuses returns an error if nobody may give the command.
func (p Policy) refuses(cmd Command) error {
	refused := false
	switch cmd.(type) {
	case Rematch, Share, LastDeal:
		refused = p.Once
	case Start, Rest:
		refused = p.Runs
	case Close, SetRules, Choose, ChooseHouse, Unshare, AddAI, RemoveAI:
		refused = p.Hostless
	}
	if refused {
		return cmp.Or(p.Refusal, ErrNoChoice)
	}
	return nil
}

// Inherit gives a table of the version before there were policies the policy of its kind. That version may run beside this
// one, so tables still have the fields from which it tells the kinds.
func (t *Table) Inherit() {
	if c := t.Tournament; c != nil {
		t.Decks = c.Decks
	}
	if t.Strangers != nil {
		t.Said = t.Strangers.Said
	}
	if t.Policy != (Policy{}) {
		return
	}
	switch {
	case t.Daily != nil:
		t.Policy = ofDaily(*t.Daily)
	case t.Tournament != nil:
		t.Policy = ofTournament(*t.Tournament)
	case t.Strangers != nil:
		t.Policy = ofStrangers
	case t.Lesson:
		t.Policy = ofLesson
	case t.Guest():
		t.Policy.Uncounted = true
	}
}
