package screen

// Group is a screen of the settings. The catalogues have its name under "prefs.home.<group>" for the settings of a home,
// and under "prefs.mine.<group>" for those of a person. A group has at most six entries.
type Group string

// The groups of settings, in the order of the list. A person's own settings without a group are on their first screen.
const (
	GroupNone    Group = ""
	GroupTables  Group = "tables"  // new tables
	GroupLook    Group = "look"    // cards and language
	GroupMay     Group = "may"     // who may do what
	GroupPosts   Group = "posts"   // what the bot posts
	GroupRecords Group = "records" // what is kept of matches, and what is made of it
)

// Groups returns the groups that have names, in the order of the list.
func Groups() []Group { return []Group{GroupTables, GroupLook, GroupMay, GroupPosts, GroupRecords} }
