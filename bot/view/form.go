package view

import (
	"fmt"
	"slices"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// ChooseForm is the first field of a choice in the settings that has the fields of a form.
const ChooseForm = "form"

// HouseForm returns a form with house rules of a lobby, for platforms that have forms: the first ones for the page of all
// house rules, and for the page of one rule those around it. It returns nil for other pages.
func HouseForm(p table.Public, page string, c *lang.Catalogue) *screen.Form {
	return settings{channel{Public: p, c: c}}.houseForm(page)
}

// Form is like HouseForm, for the defaults of a home.
func (d Defaults) Form(page string) *screen.Form { return d.houseForm(page) }

func (at settings) houseForm(page string) *screen.Form {
	rules := slices.DeleteFunc(table.HouseRules(at.Rules), func(h game.House) bool { return h.Name == "end" }) // the length has its own choice
	from := slices.IndexFunc(rules, func(h game.House) bool { return h.Name == page })
	if page == string(table.HousePage) {
		from = 0
	}
	if len(rules) == 0 || from < 0 {
		return nil
	}
	parts := (len(rules) + screen.FormFields - 1) / screen.FormFields
	size := (len(rules) + parts - 1) / parts
	part := from / size
	title := at.c.Text("tab.house")
	if parts > 1 {
		title += fmt.Sprintf(" %d/%d", part+1, parts)
	}
	form := &screen.Form{Title: screen.Cut(title, screen.FormLabel), Press: at.choice("", ChooseForm, string(table.HousePage)).Press}
	for _, h := range rules[part*size : min(len(rules), (part+1)*size)] {
		field := screen.Field{
			Name: h.Name, Label: screen.Cut(at.c.Text("house."+h.Name), screen.FormLabel),
			Chosen: slices.Index(h.Values, h.Value), Tick: slices.Equal(h.Values, []string{"true", "false"}),
		}
		for _, v := range h.Values {
			field.Choices = append(field.Choices, screen.Choice{Label: screen.Cut(houseValue(at.c, h.Name, v), screen.LabelLength), Value: v})
		}
		form.Fields = append(form.Fields, field)
	}
	return form
}
