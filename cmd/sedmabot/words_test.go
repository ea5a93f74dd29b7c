package main

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits of the plain-English check.
const (
	maxSentenceWords = 30  // words of a sentence that the bot says
	maxReadmeWidth   = 120 // characters of a line of the README
)

// pardoned lists findings that are right as they are, with the reason. A finding is named by its file and its words.
var pardoned = map[string]string{}

// quotedWords lists what texts quote besides buttons and commands, with the reason.
var quotedWords = map[string]string{
	"Your turn":       "the call that a setting switches on and off",
	"Player 3":        "the name of a player whose data was deleted",
	"sedmabot verify": "a command of the program",
	"sedmabot replay": "a command of the program",
	"sedmabot doctor": "a command of the program",
	"{stop}":          "the name of a button",
	"{now}":           "the name of a button",
	"{weekly}":        "a word of the command",
	"{name}":          "a name that somebody gave",
	"{word}":          "a word that somebody typed",
	"{words}":         "words that somebody typed",
	"{plain}":         "the name of a game",
}

// piece is a stretch of English: a text of the bot, a comment or a paragraph.
type piece struct {
	file string
	line int    // of its first line
	text string // its lines keep their breaks
	says bool   // the bot says it
	key  string // of a text in a catalogue; its plural forms share it
	head bool   // the heading of a page, which needn't be a sentence
}

// finding is a breach of a rule.
type finding struct {
	file string
	line int
	what string // the words at fault
	rule string
}

var (
	maleWord = regexp.MustCompile(`(?i)\b(he|him|his|himself)\b`)
	bareWho  = regexp.MustCompile(`^(?:Who|What|Whom|Whose)\b`)
	stop     = regexp.MustCompile(`[.!?]+[)”"]*(?:\s+|$)`)
	quoted   = regexp.MustCompile(`“([^”]+)”`)
	pressed  = regexp.MustCompile(`\b[Pp]ress (\p{Lu}[\p{L} ]*)`)
	slashed  = regexp.MustCompile(`(?:^|[\s(])/(\w+)`)
	yamlText = regexp.MustCompile(`^(?:([\w.-]+)|  (?:one|few|many|other)): (".*")$`)
)

// TestEnglishIsPlain holds the English texts, the pages and the comments to the rules that a program can check.
func TestEnglishIsPlain(t *testing.T) {
	t.Parallel()
	unraced(t)
	pieces, names := english(t)
	if len(pieces) < 5000 {
		t.Fatalf("only %d pieces of English were found: the test looks in the wrong place", len(pieces))
	}
	used := map[string]bool{}
	for _, p := range pieces {
		for _, f := range check(p, names) {
			key := f.file + ": " + strings.ToLower(f.what)
			if pardoned[key] == "" {
				t.Errorf("%s:%d: %q: %s", f.file, f.line, f.what, f.rule)
			}
			used[key] = true
		}
	}
	for key := range pardoned {
		if !used[key] {
			t.Errorf("%q no longer needs to be an exception", key)
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range wideLines("README.md", string(readme)) {
		t.Errorf("%s:%d: %s: %s", f.file, f.line, f.what, f.rule)
	}
}

// english returns all English of the project, and the names of the buttons and commands. A command begins with a slash.
func english(t *testing.T) (all []piece, names map[string]bool) {
	t.Helper()
	names = map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file := filepath.ToSlash(strings.TrimPrefix(path, root+"/"))
		if d.IsDir() {
			if slices.Contains([]string{".git", "testdata", "node_modules", "dist"}, d.Name()) && file != "bot/bottest/testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		of := reader(file)
		if of == nil || !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if file == "bot/lang/en.yaml" {
			texts, buttons := catalogue(file, string(data))
			all = append(all, texts...)
			for _, name := range buttons {
				names[name] = true
			}
		}
		all = append(all, of(file, string(data))...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, names
}

// quotes finds what a catalogue of any language quotes.
var quotes = regexp.MustCompile(`[“„«”]([^“”„«»]+)[”“»]`)

// quotingKeys lists the texts that quote something other than a button, with the reason.
var quotingKeys = map[string]string{
	"pref.calls":  "the call that the setting switches on and off",
	"mydata.goes": "the name of a player whose data was deleted",
}

// TestQuotedButtonsExist checks that a text of any language quotes only buttons, placeholders and commands of the
// program, as they are spelled.
func TestQuotedButtonsExist(t *testing.T) {
	t.Parallel()
	unraced(t)
	files, err := filepath.Glob(filepath.Join(root, "bot/lang/*.yaml"))
	if err != nil || len(files) < 2 {
		t.Fatalf("catalogues: %d, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts, names := catalogue(filepath.Base(file), string(data))
		for _, p := range texts {
			for _, m := range quotes.FindAllStringSubmatch(p.text, -1) {
				if !slices.Contains(names, m[1]) && quotedWords[m[1]] == "" && quotingKeys[p.key] == "" {
					t.Errorf("%s:%d: no button is named %q", p.file, p.line, m[1])
				}
			}
		}
	}
}

// reader returns the function that finds the English in a file; nil if the file has none.
func reader(file string) func(file, text string) []piece {
	switch filepath.Ext(file) {
	case ".go":
		return goComments
	case ".md":
		return paragraphs
	case ".js", ".css":
		return func(file, text string) []piece { return marked(file, text, "//") }
	case ".lua":
		return func(file, text string) []piece { return marked(file, text, "--") }
	case ".sh", ".yaml", ".yml", ".talk":
		if strings.HasPrefix(file, "bot/lang/") && file != "bot/lang/en.yaml" {
			return nil
		}
		return func(file, text string) []piece { return marked(file, text, "#") }
	}
	if file == ".ci/run" || file == "Dockerfile" || file == "cmd/sedmabot/deploy/rolling" {
		return func(file, text string) []piece { return marked(file, text, "#") }
	}
	return nil
}

// goComments returns the comments of a Go file. Comments on lines that follow each other are one piece.
func goComments(file, text string) (all []piece) {
	set := token.NewFileSet()
	f := set.AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(f, []byte(text), nil, scanner.ScanComments)
	last := -1 // line of the comment before, if it had a line of its own
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok != token.COMMENT {
			continue
		}
		line := f.Line(pos)
		before := text[:f.Offset(pos)]
		own := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == ""
		body := strings.TrimPrefix(lit, "//")
		if strings.HasPrefix(body, "go:") || strings.HasPrefix(body, "nolint") {
			continue
		}
		body = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(body, "/*"), "*/"))
		if own && last == line-1 && len(all) > 0 {
			all[len(all)-1].text += "\n" + body
		} else {
			all = append(all, piece{file: file, line: line, text: body})
		}
		last = -1
		if own {
			last = line
		}
	}
}

// marked returns the comments of a file that begin with a mark, alone on their line or after a space.
func marked(file, text, mark string) (all []piece) {
	last := -1
	for i, line := range strings.Split(text, "\n") {
		at := 0
		if !strings.HasPrefix(strings.TrimSpace(line), mark) {
			at = strings.Index(line, " "+mark+" ")
			if at < 0 {
				continue
			}
		}
		own := at == 0
		_, body, _ := strings.Cut(line[at:], mark)
		body = strings.TrimLeft(body, mark+" ")
		if own && last == i-1 && len(all) > 0 {
			all[len(all)-1].text += "\n" + body
		} else {
			all = append(all, piece{file: file, line: i + 1, text: body})
		}
		last = -1
		if own {
			last = i
		}
	}
	return all
}

// paragraphs returns the paragraphs, rows and headings of a page, without its code.
func paragraphs(file, text string) (all []piece) {
	code, next := false, true
	for i, line := range strings.Split(text, "\n") {
		body := strings.TrimLeft(line, " #>*-0123456789.|")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			code, next = !code, true
		case code:
		case body == "":
			next = true // an empty line
		case next || strings.TrimLeft(line, " ")[:1] != body[:1]:
			all = append(all, piece{file: file, line: i + 1, text: body, head: strings.HasPrefix(line, "#")})
			next = false
		default:
			all[len(all)-1].text += "\n" + body
		}
	}
	return all
}

// catalogue returns the texts of a language, and the names of its buttons and commands. A command begins with a slash.
func catalogue(file, text string) (all []piece, names []string) {
	key := ""
	for i, line := range strings.Split(text, "\n") {
		if name, rest, ok := strings.Cut(line, ":"); ok && rest == "" {
			key = name // its plural forms follow
		}
		m := yamlText.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		key = cmp.Or(m[1], key)
		value, err := strconv.Unquote(m[2])
		if err != nil {
			continue
		}
		all = append(all, piece{file: file, line: i + 1, text: value, says: true, key: key})
		switch {
		case strings.HasPrefix(key, "button."):
			names = append(names, value)
		case strings.HasPrefix(key, "slash."):
			names = append(names, "/"+value)
		}
	}
	return all, names
}

// check returns the breaches of the rules in a piece. names are the buttons and commands that exist.
func check(p piece, names map[string]bool) (all []finding) {
	add := func(at int, what, rule string) {
		all = append(all, finding{p.file, p.line + strings.Count(p.text[:at], "\n"), what, rule})
	}
	for _, m := range maleWord.FindAllStringIndex(p.text, -1) {
		add(m[0], p.text[m[0]:m[1]], "a person is “they”")
	}
	for from := 0; from < len(p.text); {
		to := len(p.text)
		if m := stop.FindStringIndex(p.text[from:]); m != nil {
			to = from + m[1]
		}
		phrase := strings.TrimLeft(p.text[from:to], " \n\t(“*_")
		at := to - len(phrase)
		from, phrase = to, strings.TrimSpace(phrase)
		if who := bareWho.FindString(phrase); who != "" && !p.head && !strings.HasSuffix(strings.TrimRight(phrase, `)”"`), "?") {
			add(at, who, "say “anyone who” or “if you”")
		}
		if n := len(strings.Fields(phrase)); p.says && n > maxSentenceWords {
			add(at, phrase, fmt.Sprintf("%d words in a sentence, more than %d", n, maxSentenceWords))
		}
	}
	if !p.says {
		return all
	}
	for _, m := range quoted.FindAllStringSubmatchIndex(p.text, -1) {
		if name := p.text[m[2]:m[3]]; !names[name] && quotedWords[name] == "" {
			add(m[2], name, "no button has this name; a command is {command}")
		}
	}
	for _, m := range pressed.FindAllStringSubmatchIndex(p.text, -1) {
		add(m[2], p.text[m[2]:m[3]], "put “…” around the name of a button")
	}
	for _, m := range slashed.FindAllStringSubmatchIndex(p.text, -1) {
		if name := p.text[m[2]:m[3]]; !names["/"+name] {
			add(m[2], name, "no command has this name")
		}
	}
	return all
}

// wideLines returns the lines of a page that are too wide.
func wideLines(file, text string) (all []finding) {
	for i, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > maxReadmeWidth {
			all = append(all, finding{file, i + 1, fmt.Sprintf("%d characters", n), fmt.Sprintf("a line has at most %d", maxReadmeWidth)})
		}
	}
	return all
}

// The checks above must find what breaks the rules, and nothing else.
func TestBadEnglishIsFound(t *testing.T) {
	t.Parallel()
	names := map[string]bool{"Start": true, "/new": true}
	long := strings.Repeat("word ", maxSentenceWords)
	for _, c := range []struct {
		says bool
		text string
		want string // what is found
	}{
		{false, "The host starts. If they leave, theirs is the next seat. The history is kept.", ""},
		{false, "The host starts.\nThen he deals.", "2:he"},
		{false, "Ask HIM himself.", "1:HIM 1:himself"},
		{false, "Who leaves is replaced.", "1:Who"},
		{false, "The game ends. (What\nremains is lost.)", "1:What"},
		{false, "That is it:\n\nWhat (if any) happens at 1.5 s?", ""},
		{false, "Who deals? Somebody who leads.", ""},
		{false, "sums.What is no sentence", ""},
		{true, long + "end.", "1:" + long + "end."},
		{true, long[5:] + "end. " + long[5:] + "end.", ""},
		{true, "Press “Start”, or use {command} or /new 3.", ""},
		{true, "Press Start, “Begin”, “new” or /open.", "1:Begin 1:new 1:Start 1:open"},
		{false, "Press Start, “Begin” or /open. " + long + "end.", ""},
	} {
		var got []string
		for _, f := range check(piece{file: "f", line: 1, text: c.text, says: c.says}, names) {
			got = append(got, fmt.Sprintf("%d:%s", f.line, f.what))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: found %q, want %q", c.text, s, c.want)
		}
	}

	// The English of a file, by its kind.
	for file, c := range map[string]struct{ text, want string }{
		"a.go":             {"// One\n// two.\npackage a // three\n\nvar s = \"// no\" // four\n//nolint:x // no\n/* five\nsix */", "1 One|two. 3 three 5 four 7 five|six"},
		"a.lua":            {"-- one\nlocal a = b--c\nreturn a -- two", "1 one 3 two"},
		"a.js":             {"// one\n// two\nopen(\"https://x\"); // three", "1 one|two 3 three"},
		".ci/run":          {"# one\necho $# # two", "1 one 2 two"},
		"a.md":             {"# One\n\ntwo\nthree\n- four\n```\nno\n```\nfive", "1 One 3 two|three 5 four 9 five"},
		"bot/lang/cs.yaml": {"# no", ""},
	} {
		var got []string
		if of := reader(file); of != nil {
			for _, p := range of(file, c.text) {
				got = append(got, fmt.Sprintf("%d %s", p.line, strings.ReplaceAll(p.text, "\n", "|")))
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s has %q, want %q", file, s, c.want)
		}
	}

	texts, found := catalogue("en.yaml", "button.a: \"Start\"\n# no: \"x\"\nslash.b:\n  one: \"new\"\nc: \"he\"\n")
	if len(texts) != 3 || texts[2].line != 5 || !slices.Equal(found, []string{"Start", "/new"}) {
		t.Errorf("texts %v, names %q", texts, found)
	}
	if got := wideLines("f", "é"+strings.Repeat("é", maxReadmeWidth)+"\n"+strings.Repeat("é", maxReadmeWidth)); len(got) != 1 || got[0].line != 1 {
		t.Errorf("wide lines %v", got)
	}
}
