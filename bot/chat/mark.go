package chat

import "context"

// Marker is implemented by platforms that can show a mark beside the names of a home's
// members: a tag, or a role.
type Marker interface {
	// Mark changes a member's mark in a home from was to next, and returns what the member has
	// now. The zero Mark is none. A mark that someone else set stays as it is. Without a player,
	// Mark only checks whether the bot may set marks there. If that can't be done, the error is a
	// *MarkError; otherwise it is a *DeliveryError.
	Mark(ctx context.Context, home, player string, was, next Mark) (Mark, error)
}

// Mark is the mark of a member who has a rank in the season.
type Mark struct {
	Rank int    `json:"rank,omitempty"`
	Tag  string `json:"tag,omitempty"`  // the words of a tag: at most 16 characters, no emoji
	Role string `json:"role,omitempty"` // the name of the role of the member with rank 1
	// ID is what the platform has set: the tag, or the role's id. "" if the member has no mark,
	// because of the rank or because someone else set one.
	ID string `json:"id,omitempty"`
	// Tried is a mark that may have been set, by a call whose result is unknown.
	Tried string `json:"tried,omitempty"`
	// Known is the id of the role that the bot gave to an earlier member, or "".
	Known string `json:"-"`
}

// MarkError says why a mark can't be set.
type MarkError struct{ Why MarkFault }

// MarkFault is a reason why a mark can't be set. The text of one that the chat's managers can
// mend is in the catalogues, under "marks.<reason>".
type MarkFault string

// The reasons. The first two concern all marks of a home, the others one member.
const (
	MarkRights MarkFault = "rights" // the bot lacks the right to set marks
	MarkAbove  MarkFault = "above"  // the role is above the bot's own roles
	MarkTaken  MarkFault = "taken"  // someone else set a mark
	MarkMember MarkFault = "member" // not a regular member: a manager, or someone who has left
)

// Key returns the key of the reason's text, or "" without a reason.
func (f MarkFault) Key() string {
	if f == "" {
		return ""
	}
	return "marks." + string(f)
}

// Error returns the reason.
func (e *MarkError) Error() string { return "no mark: " + string(e.Why) }
