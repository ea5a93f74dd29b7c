// Command schemas makes files by which checks know what others accept.
//
//	go run . kubernetes FOLDER
//
// writes the JSON schemas of Kubernetes' objects to a folder, one file a kind, as kubeconform reads them with
// -schema-location 'FOLDER/{{.ResourceKind}}{{.KindSuffix}}.json'. They come from the OpenAPI description in the source of
// Kubernetes, which the Go module proxy has. An object may have no fields but those in its schema.
//
//	go run . discord FILE >../../bot/discord/discordtest/testdata/schemas.json
//	go run . telegram FILE... >../../bot/telegram/telegramtest/testdata/api.json
//
// writes the part of a platform's description that the bot uses; the stand-ins in the tests check requests against it. Discord's
// is specs/openapi.json of github.com/discord/discord-api-spec. Telegram has none of its own: api.json of
// github.com/PaulSonOfLars/telegram-bot-api-spec is made from its documentation, and a second file adds what that lacks.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// kubernetes is the version whose objects are described.
const kubernetes = "k8s.io/kubernetes@v1.33.0"

func main() {
	usage, err := true, error(nil)
	if len(os.Args) > 2 {
		usage = false
		switch os.Args[1] {
		case "kubernetes":
			err = kubernetesTo(os.Args[2])
		case "discord":
			err = discord(os.Stdout, os.Args[2])
		case "telegram":
			err = telegram(os.Stdout, os.Args[2:])
		default:
			usage = true
		}
	}
	switch {
	case usage:
		fmt.Fprintln(os.Stderr, "usage: go run . kubernetes FOLDER, or discord FILE, or telegram FILE...")
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

func kubernetesTo(folder string) error {
	download := exec.Command("go", "mod", "download", "-json", kubernetes)
	download.Stderr = os.Stderr
	answer, err := download.Output()
	if err != nil {
		return fmt.Errorf("download %s: %w", kubernetes, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(answer, &module); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return err
	}
	var api struct {
		Definitions map[string]map[string]any `json:"definitions"`
	}
	if err := json.Unmarshal(text, &api); err != nil {
		return err
	}
	for name, d := range api.Definitions {
		if err := write(folder, name, closed(d)); err != nil {
			return err
		}
		kinds, _ := d["x-kubernetes-group-version-kind"].([]any)
		for _, k := range kinds {
			if err := write(folder, fileOf(k.(map[string]any)), map[string]any{"$ref": name + ".json"}); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileOf returns kubeconform's name for a kind, such as "deployment-apps-v1".
func fileOf(kind map[string]any) string {
	words := []string{kind["kind"].(string)}
	if group, _, _ := strings.Cut(kind["group"].(string), "."); group != "" {
		words = append(words, group)
	}
	return strings.ToLower(strings.Join(append(words, kind["version"].(string)), "-"))
}

// closed returns a schema that refuses unknown fields, and whose references lead to files.
func closed(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range s {
			out[key] = closed(value)
		}
		if ref, ok := s["$ref"].(string); ok {
			out["$ref"] = strings.TrimPrefix(ref, "#/definitions/") + ".json"
		}
		if _, ok := s["properties"].(map[string]any); ok && s["additionalProperties"] == nil {
			out["additionalProperties"] = false
		}
		if s["format"] == "int-or-string" {
			out["type"] = []string{"string", "integer"}
		}
		return out
	case []any:
		out := make([]any, len(s))
		for i := range s {
			out[i] = closed(s[i])
		}
		return out
	default:
		return schema
	}
}

func write(folder, name string, schema any) error {
	text, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".json"), text, 0o644)
}
