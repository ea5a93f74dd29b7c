package view

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

func TestEveryRefusalHasAText(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../game/table/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of game/table: %v", err)
	}
	var refusals []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if id, is := ast.Unparen(typeOf(spec)).(*ast.Ident); ok && is && id.Name == "Refusal" {
				for _, v := range spec.Values {
					if s, err := strconv.Unquote(v.(*ast.BasicLit).Value); err == nil {
						refusals = append(refusals, s)
					}
				}
			}
			return true
		})
	}
	if len(refusals) < 10 {
		t.Fatalf("only %d refusals were found", len(refusals))
	}
	const apology = "reply.trouble"
	hasText := func(key string) bool {
		for _, language := range lang.Languages() {
			if c := lang.For(language); !c.Has(key) || c.Text(key) == "" {
				return false
			}
		}
		return true
	}
	for _, r := range refusals {
		if key := chat.RuleKey(fmt.Errorf("join: %w", table.Refusal(r))); key == apology || !hasText(key) {
			t.Errorf("no text for the refusal %s", r)
		}
	}
	for rule := range chat.RuleKeys {
		if key := chat.RuleKey(fmt.Errorf("play: %w", rule)); key == apology || !hasText(key) {
			t.Errorf("no text for the violation %q", rule)
		}
	}
	for _, err := range []error{errors.New("disk on fire"), game.Rule("made up"), table.Refusal("made_up")} {
		if key := chat.RuleKey(err); key != apology {
			t.Errorf("an unknown error has the text %s", key)
		}
	}
}

func typeOf(spec *ast.ValueSpec) ast.Expr {
	if spec == nil || spec.Type == nil {
		return &ast.BadExpr{}
	}
	return spec.Type
}

// TestEveryViolationIsKnown checks that every violation of the engine has a text.
func TestEveryViolationIsKnown(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../../game/move.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if id, is := typeOf(spec).(*ast.Ident); ok && is && id.Name == "Rule" {
			s, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if _, known := chat.RuleKeys[game.Rule(s)]; err != nil || !known {
				t.Errorf("no text for the violation %q", s)
			}
			found++
		}
		return true
	})
	if found != len(chat.RuleKeys) {
		t.Errorf("the engine has %d violations, and %d have texts", found, len(chat.RuleKeys))
	}
}
