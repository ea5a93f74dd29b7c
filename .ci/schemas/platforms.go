package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// methods are the methods of Telegram's Bot API that the bot calls.
var methods = strings.Fields(`
	getUpdates setWebhook deleteWebhook getWebhookInfo getMe getChatMember setChatMemberTag
	sendMessage sendPhoto sendDocument sendChatAction setMessageReaction
	editMessageText editMessageCaption editMessageMedia deleteMessage editEphemeralMessageText deleteEphemeralMessage
	answerCallbackQuery answerGuestQuery answerInlineQuery savePreparedInlineMessage
	setMyCommands getMyCommands setMyDescription getMyDescription setMyShortDescription getMyShortDescription`)

// bodies are the requests to Discord that the bot makes with a body.
var bodies = []string{
	"PUT /applications/{application_id}/commands",
	"POST /applications/{application_id}/emojis",
	"PATCH /channels/{channel_id}",
	"POST /channels/{channel_id}/messages",
	"PATCH /channels/{channel_id}/messages/{message_id}",
	"POST /guilds/{guild_id}/roles",
	"POST /interactions/{interaction_id}/{interaction_token}/callback",
	"POST /users/@me/channels",
	"POST /webhooks/{webhook_id}/{webhook_token}",
	"PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original",
	"PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
}

type object = map[string]any

// telegram writes what its stand-in in the tests checks: the methods and types that the bot uses. Each file describes the Bot API, or
// adds fields to what an earlier one describes.
func telegram(w io.Writer, files []string) error {
	type part struct {
		Fields []struct {
			Name     string   `json:"name"`
			Types    []string `json:"types"`
			Required bool     `json:"required,omitempty"`
		} `json:"fields,omitempty"`
		Subtypes []string `json:"subtypes,omitempty"`
	}
	all := map[string]*part{}
	for _, file := range files {
		var api struct{ Methods, Types map[string]*part }
		if err := read(file, &api); err != nil {
			return err
		}
		for _, list := range []map[string]*part{api.Methods, api.Types} {
			for name, p := range list {
				if old := all[name]; old != nil {
					p.Fields, p.Subtypes = append(old.Fields, p.Fields...), append(old.Subtypes, p.Subtypes...)
				}
				all[name] = p
			}
		}
	}
	used := map[string]any{}
	for todo := methods; len(todo) > 0; todo = todo[1:] {
		name := strings.ReplaceAll(todo[0], "Array of ", "")
		p := all[name]
		if p == nil || used[name] != nil {
			continue // String, for example
		}
		used[name], todo = p, append(todo, p.Subtypes...)
		for i, f := range p.Fields {
			todo = append(todo, f.Types...)
			// It or ephemeral_message_id is required, which the description can't say.
			if name == "ReplyParameters" && f.Name == "message_id" {
				p.Fields[i].Required = false
			}
		}
	}
	return lines(w, used)
}

// discord writes what its stand-in in the tests checks: the schemas of the bodies that the bot sends. The file is
// Discord's OpenAPI description.
func discord(w io.Writer, file string) error {
	var api object
	if err := read(file, &api); err != nil {
		return err
	}
	used := map[string]any{}
	var todo []string
	for _, request := range bodies {
		method, path, _ := strings.Cut(request, " ")
		schema := at(api, "paths", path, strings.ToLower(method), "requestBody", "content", "application/json", "schema")
		if schema == nil {
			return fmt.Errorf("%s has no %s", file, request)
		}
		used[request] = bare(schema, &todo)
	}
	for ; len(todo) > 0; todo = todo[1:] {
		if name := todo[0]; used[name] == nil {
			used[name] = bare(at(api, "components", "schemas", name), &todo)
		}
	}
	return lines(w, used)
}

func at(v any, path ...string) any {
	for _, step := range path {
		m, _ := v.(object)
		v = m[step]
	}
	return v
}

// bare returns a schema with nothing but what the stand-in looks at. It adds the names of other schemas to refs.
func bare(schema any, refs *[]string) any {
	out := object{}
	m, _ := schema.(object)
	for key, value := range m {
		switch key {
		case "$ref":
			name := strings.TrimPrefix(value.(string), "#/components/schemas/")
			*refs, out[key] = append(*refs, name), name
		case "type", "enum", "const", "required", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems":
			out[key] = value
		case "items":
			out[key] = bare(value, refs)
		case "allOf", "oneOf", "anyOf":
			var list []any
			for _, one := range value.([]any) {
				list = append(list, bare(one, refs))
			}
			out[key] = list
		case "properties":
			fields := object{}
			for name, field := range value.(object) {
				fields[name] = bare(field, refs)
			}
			out[key] = fields
		}
	}
	return out
}

func read(file string, v any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// lines writes a JSON object with a line for each value.
func lines(w io.Writer, all map[string]any) error {
	comma := "{\n"
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text, err := json.Marshal(all[name])
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%q:%s", comma, name, text); err != nil {
			return err
		}
		comma = ",\n"
	}
	_, err := fmt.Fprintln(w, "\n}")
	return err
}
