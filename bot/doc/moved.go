package doc

// A chat may get another id: a Telegram group becomes a supergroup. What is
// kept of it stays where it is, in the home of the first id, and a document of
// the new one points there (chat:<id>). Whatever tells of the move, the service
// message of the platform or a delivery that fails with the new id, may come
// first, late, again, or not at all: each does all that is left to do.

// ChatHome says where what is kept of a chat is.
type ChatHome struct {
	Home string `json:"home"`
}
