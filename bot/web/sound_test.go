package web_test

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/playground"
)

// Every sound can be heard, even at full volume never reaches the loudest level that there is, which would distort it, begins
// and ends in silence, so that nothing clicks, and is over within a second. None is much louder than another. They are on at
// 30 % from the first touch on, and one button mutes them. With the volume at 0, the page doesn't open the device.
func TestSounds(t *testing.T) {
	t.Parallel()
	r := open(t)
	ctx := browser.Open(t, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(r.short(t, 4)), chromedp.WaitVisible("body[data-ready] .slot .card"))
	// Each sound is rendered as fast as possible, from the second that its place in the list says. The page's own copy of the
	// module stays as it is, because the address differs.
	browser.Eval(t, ctx, `(async () => {
		const rate = 48000;
		let at = 1, opened = 0, audio;
		window.AudioContext = function () {
			opened++;
			audio = new OfflineAudioContext(1, 12 * rate, rate);
			Object.defineProperty(audio, "currentTime", { get: () => at });
			audio.resume = () => {};
			return audio;
		};
		const s = await import(document.querySelector("link[href$='screen.js']").href.replace("screen.js", "sound.js?again"));
		for (const play of [s.tap, s.chime]) play(); // nobody has touched the page
		const first = s.soundVolume() === 30 && opened === 0;
		s.setVolume(0);
		for (const play of [s.tap, s.sweep, s.riffle, s.gain, s.chime]) play();
		const silent = first && opened === 0;
		s.setVolume(100); // it plays a tap, in the first second
		for (const play of [s.sweep, s.riffle, s.gain, s.chime]) { at += 2; play(); }
		const samples = (await audio.startRendering()).getChannelData(0);
		const sounds = [1, 3, 5, 7, 9].map((from) => {
			const piece = samples.subarray(from * rate, (from + 2) * rate);
			let loudest = 0; // of all pieces of 50 ms, the mean power
			for (let i = 0; i + rate / 20 <= piece.length; i += rate / 100) loudest = Math.max(loudest, piece.subarray(i, i + rate / 20).reduce((sum, v) => sum + v * v, 0) * 20 / rate);
			const most = (from, to) => piece.subarray(from * rate, to * rate).reduce((most, v) => Math.max(most, Math.abs(v)), 0);
			return { Peak: most(0, 2), First: most(0, 0.001), Rest: most(1, 2), Decibels: 10 * Math.log10(loudest) };
		});
		window.heard = JSON.stringify({ Silent: silent, Sounds: sounds });
	})().catch((e) => { window.heard = String(e); }) && 0`)
	browser.Until(t, ctx, "!!window.heard")
	var heard struct {
		Silent bool
		Sounds []struct{ Peak, First, Rest, Decibels float64 }
	}
	text := browser.Eval(t, ctx, "heard")
	if err := json.Unmarshal([]byte(text), &heard); err != nil {
		t.Fatal(text)
	}
	if !heard.Silent {
		t.Error("a page without sounds opened the device")
	}
	quietest, loudest := 0.0, -100.0
	for i, s := range heard.Sounds {
		name := []string{"tap", "sweep", "riffle", "gain", "chime"}[i]
		if s.Peak < 0.1 || s.Peak > 0.9 || s.First > 0.01 || s.Rest > 0.001 {
			t.Errorf("%s: %+v", name, s)
		}
		quietest, loudest = min(quietest, s.Decibels), max(loudest, s.Decibels)
	}
	if len(heard.Sounds) != 5 || loudest-quietest > 16 {
		t.Errorf("the loudest sound is %.0f dB above the quietest: %+v", loudest-quietest, heard.Sounds)
	}
	button := `document.querySelector("[data-tool=sound]")`
	browser.Do(t, ctx, chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("[data-tool=sound]"))
	for _, want := range []string{"true 0", "false 100"} {
		browser.Do(t, ctx, chromedp.Click("[data-tool=sound]"))
		if got := browser.Eval(t, ctx, button+`.ariaPressed + " " + document.querySelector(".sound input").value`); got != want {
			t.Errorf("after a touch of the button: %s, want %s", got, want)
		}
	}
}

// Motion, sounds and the time limit, each switched off by its own control, stay off: motion and sounds after a reload, when the
// styles move nothing, either, and the time limit also in the rematch.
func TestSwitchesHold(t *testing.T) {
	t.Parallel()
	r := open(t)
	ctx := browser.Open(t, 390, 844)
	address := r.doorAddress(t, ctx, playground.Ann)
	browser.Do(t, ctx, chromedp.Navigate(address), chromedp.WaitVisible("body[data-ready]"))
	const sees = `getComputedStyle(document.querySelector("button")).transitionDuration + " " + document.documentElement.dataset.moves`
	browser.Eval(t, ctx, `(() => {
		const style = new CSSStyleSheet();
		style.replaceSync("button { transition: opacity 1s }");
		document.adoptedStyleSheets.push(style);
	})()`)
	if got := browser.Eval(t, ctx, sees); got != "1s true" {
		t.Errorf("before: %s", got)
	}
	browser.Do(t, ctx, chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("[data-tool=sound]"), chromedp.Click("[data-tool=sound]"))
	browser.Eval(t, ctx, `(document.querySelector("[name=set-speed][value=off]").click(), "")`)
	if got := browser.Eval(t, ctx, sees); got != "0s false" {
		t.Errorf("without motion: %s", got)
	}
	reload := chromedp.Reload()
	browser.Do(t, ctx, reload, chromedp.WaitVisible("body[data-ready]"), chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("[data-tool=sound]"))
	const kept = `document.querySelector("[name=set-speed]:checked").value + " " + document.querySelector(".sound input").value + " " + document.documentElement.dataset.moves`
	if got := browser.Eval(t, ctx, kept); got != "off 0 false" {
		t.Errorf("after a reload: %s", got)
	}
	browser.Do(t, ctx, chromedp.Click(".shut"))

	first := func() { browser.Eval(t, ctx, choices+`[0].click()`) }
	const clocks = `document.querySelectorAll(".clock.runs").length`
	for _, c := range []struct{ limit, runs string }{{"30", "2"}, {"0", "0"}} { // the bar on the plate, and that at the hand
		for _, press := range []string{"new:", ":page:settings", ":page:limit", ":limit:" + c.limit, ":page:length", ":length:h1", "start:"} {
			button := `document.querySelector("#below [data-press*='` + press + `']")`
			browser.Until(t, ctx, button+` && (`+button+`.click(), true)`)
		}
		browser.Until(t, ctx, myTurn)
		if got := browser.Eval(t, ctx, clocks); got != c.runs {
			t.Errorf("with a limit of %s s, %s bars of time run", c.limit, got)
		}
		if c.limit != "0" { // home opens no other table while a match goes on
			playOn(t, ctx, first)
			browser.Do(t, ctx, chromedp.Click("[data-tool=home]"))
		}
	}
	browser.Do(t, ctx, reload, chromedp.WaitVisible("body[data-ready] .slot .card"))
	for match := range 2 {
		browser.Until(t, ctx, myTurn)
		if got := browser.Eval(t, ctx, clocks); got != "0" {
			t.Errorf("match %d: %s bars of time run without a limit", match+1, got)
		}
		if match == 0 {
			playOn(t, ctx, first)
			browser.Do(t, ctx, chromedp.Click(".panel [data-press^='rematch:']"))
		}
	}
}
