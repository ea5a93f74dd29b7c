package screen

// Form is a question to one person with several fields. The person answers all of them at once.
type Form struct {
	Title  string // at most FormLabel characters
	Press  string // the press of the answer
	Fields []Field
}

// Field is one field of a form.
type Field struct {
	Name    string // name of the answer: at most 64 of [0-9a-z_-]
	Label   string // at most FormLabel characters
	Choices []Choice
	Chosen  int  // index of the current choice; -1: none of them
	Tick    bool // the values of the choices are "true" and "false", in this order
}

// Choice is one choice of a field.
type Choice struct {
	Label string // at most LabelLength characters
	Value string // at most 64 of [0-9a-z_-]
}

// The limits of forms. They are those of Discord
// (https://discord.com/developers/docs/components/reference#label).
const (
	FormFields  = 5  // the maximum number of fields of a form; the minimum is one
	FormLabel   = 45 // characters of a title or of a field's label
	FormChoices = 25 // choices of a field, of which there are at least two
)
