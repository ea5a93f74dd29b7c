"use strict";
// The viewer of finished matches. It shows them step by step, with all hands open.

let steps = [], stepAt = 0, playing;

async function view(match) {
  const answer = await fetch(query("replay", { match, person: me, lang: setup.lang })).catch(() => null);
  if (!answer?.ok) { toast(me, say("replay.none")); return; }
  steps = await answer.json();
  $("viewer").dataset.match = match;
  $("viewed").textContent = say("replay");
  $("at").max = steps.length - 1;
  $("at").setAttribute("aria-label", say("replay"));
  for (const b of $("viewer").querySelectorAll("[data-go]")) b.title = say("replay." + b.dataset.go);
  for (const b of $("viewer").querySelectorAll("[data-go]")) b.setAttribute("aria-label", b.title);
  play(false);
  if (!$("viewer").open) $("viewer").showModal();
  go(0);
}

function go(to) {
  stepAt = Math.min(Math.max(to, 0), steps.length - 1);
  const { deal, no, screen } = steps[stepAt];
  const body = make("div", german(screen) ? "body german" : "body");
  if (screen.image) body.append(picture({ ...screen, id: "" }, $("step")));
  body.append(...screen.blocks.map((b) => drawBlock(screen, b)));
  $("step").replaceChildren(body);
  $("step").scrollTop = 0;
  $("at").value = stepAt;
  $("at").setAttribute("aria-valuetext", say("replay.step", { deal, no }));
  for (const b of $("viewer").querySelectorAll("[data-go]")) {
    b.disabled = stepAt === (["first", "back"].includes(b.dataset.go) ? 0 : steps.length - 1);
  }
  if (stepAt === steps.length - 1) play(false);
}

function play(on) {
  clearInterval(playing);
  $("play").setAttribute("aria-pressed", on);
  if (on) playing = setInterval(() => go(stepAt + 1), 1500);
}

for (const b of document.querySelectorAll("[data-go]")) {
  b.onclick = () => { play(false); go({ first: 0, back: stepAt - 1, on: stepAt + 1, last: steps.length - 1 }[b.dataset.go]); };
}
document.getElementById("at").oninput = (e) => { play(false); go(+e.target.value); };
document.getElementById("play").onclick = () => {
  const on = $("play").getAttribute("aria-pressed") !== "true";
  if (on && stepAt === steps.length - 1) go(0);
  play(on);
};
document.getElementById("shut").onclick = () => $("viewer").close();
document.getElementById("viewer").onclose = () => { play(false); history.replaceState(null, "", location.pathname + location.search); };
document.getElementById("share").onclick = async () => {
  const link = location.origin + location.pathname + location.search + "#replay=" + $("viewer").dataset.match;
  try {
    await navigator.clipboard.writeText(link);
    toast(me, say("replay.copied"));
  } catch {
    toast(me, link, true);
  }
};

// A link may open a match directly.
function viewLinked() {
  const [, match] = /^#replay=([\w-]+)$/.exec(location.hash) || [];
  if (match) view(match);
}
addEventListener("hashchange", viewLinked);
