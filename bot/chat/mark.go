package chat

import "context"

// Marker is the ability to show a mark beside the names of a home's
// members: a tag, or a role.
type Marker interface {
	// Mark changes a member's mark in a home from was to next, and returns the member's mark
	// after that. The zero Mark is none. A mark that someone else set is left unchanged. Without
	// a player, Mark only checks whether the bot may set marks in the home. The error is a
	// *MarkError if the mark can't be set, and a *DeliveryError if the request has failed.
	Mark(ctx context.Context, home, player string, was, next Mark) (Mark, error)
}

// Mark is the mark of a member who has a rank in the season.
type Mark struct {
	Rank int    `json:"rank,omitempty"`
	Tag  string `json:"tag,omitempty"`  // the words of a tag: at most 16 characters, no emoji
	Role string `json:"role,omitempty"` // the name of the role of the member with rank 1
	// ID is the tag that the platform shows, or the role's id. "" if the bot has set no mark,
	// because of the rank or because someone else had set one.
	ID string `json:"id,omitempty"`
	// Tried is a mark that may have been set, by a call whose result is unknown.
	Tried string `json:"tried,omitempty"`
	// Known is the id of the role that the bot gave to an earlier member, or "".
	Known string `json:"-"`
}

// MarkError says why a mark can't be set.
type MarkError struct{ Why MarkFault }

// MarkFault is a reason why a mark can't be set. If the chat's managers can do something about
// it, the catalogues have its text under "marks.<reason>".
type MarkFault string

// The reasons. The first three concern all marks of a home, the others one member.
const (
	MarkRights MarkFault = "rights" // the bot may not manage roles
	MarkTags   MarkFault = "tags"   // the bot may not edit the tags of members
	MarkAbove  MarkFault = "above"  // the role is above the bot's own roles
	MarkTaken  MarkFault = "taken"  // someone else set a mark
	MarkMember MarkFault = "member" // not a regular member: a manager, or someone who has left
)

// Concerns reports whether the reason concerns all marks of a home, so that the chat's managers
// can do something about it.
func (f MarkFault) Concerns() bool { return f == MarkRights || f == MarkTags || f == MarkAbove }

// Key returns the key of the text for the chat's managers, or "" if there is none.
func (f MarkFault) Key() string {
	if !f.Concerns() {
		return ""
	}
	return "marks." + string(f)
}

// Error returns the reason.
func (e *MarkError) Error() string { return "no mark: " + string(e.Why) }
