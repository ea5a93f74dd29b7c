package tournaments

import (
	"strings"
	"testing"
	"time"

	"sedmabot/bot/lang"
)

// Times can be said in each language's words, beside the English ones.
func TestTimesInWords(t *testing.T) {
	t.Parallel()
	prague, err := time.LoadLocation("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 28, 10, 0, 0, 0, prague) // a Saturday
	for words, want := range map[string]string{
		"en 8 pm": "28 20:00", "en 8pm": "28 20:00", "en 8 p.m.": "28 20:00", "en 8 am": "29 08:00", "en 12 pm": "28 12:00", "en 12 am": "29 00:00", "en tomorrow 20:00": "29 20:00", "en 20:00 tomorrow": "29 20:00",
		"en today at 8:30 pm": "28 20:30", "en on sunday at 8 pm": "29 20:00", "en tonight 8 pm": "28 20:00", "en 8 o'clock": "29 08:00", "en 2026-11-30 8 pm": "30 20:00",
		"cs zítra ve 20:00": "29 20:00", "cs zitra 20:00": "29 20:00", "cs dnes večer v 8": "28 20:00", "cs dnes večer 20:00": "28 20:00", "cs v neděle v 8 hodin ráno": "29 08:00", "cs tomorrow 8 pm": "29 20:00",
		"sk zajtra o 20:00": "29 20:00", "sk dnes o 8 večer": "28 20:00", "hu holnap 20:00": "29 20:00", "hu ma este 8 órakor": "28 20:00", "hu du. 3": "28 15:00",
		"ro mâine la 20:00": "29 20:00", "ro maine la ora 8 seara": "29 20:00", "ro azi 20:00": "28 20:00", "uk завтра о 20:00": "29 20:00", "uk сьогодні о 8 вечора": "28 20:00", "uk о 8 годині ранку": "29 08:00",
		"fi huomenna klo 20.00": "29 20:00", "fi tänään klo 8 illalla": "28 20:00", "pl jutro o 20:00": "29 20:00", "pl dziś o 8 wieczorem": "28 20:00", "pl dzisiaj o 3 po południu": "28 15:00",
		"de morgen um 20 Uhr": "29 20:00", "de heute 8 Uhr abends": "28 20:00", "de am Sonntag um 20:00 Uhr": "29 20:00", "de morgen 8 pm": "29 20:00",
		"en today 8 am": "", "en pm": "", "en tomorrow": "", "en tomorrow sunday 20:00": "", "en today tomorrow 20:00": "", "en 13 am": "", "en 0 pm": "", "en 8 pm am": "", "en 8pm pm": "", "en 8 9 pm": "", "en 8 pmm": "",
	} {
		code, said, _ := strings.Cut(words, " ")
		at, clock, err := parseWhen(said, lang.For(code), prague, now)
		if got := at.Format("02 15:04"); want != "" && (err != nil || got != want) || want == "" && err == nil || clock != 0 {
			t.Errorf("%s: %s, %d, %v, not %s", words, got, clock, err, want)
		}
	}
}
