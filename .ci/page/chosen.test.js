// A card that is chosen before the turn.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

let page;
beforeEach(async () => { page = await import(`../../bot/web/page/chosen.js?${Math.random()}`); });

const state = (turn, { choice = "follow", deal = 1, off = [], ply = 0, hand = ["7h", "Ah", ""] } = {}) => ({
  table: "t", me: 0, phase: "playing", felt: { deal, ply, turn, choice, hand: hand.map((card) => ({ card, name: card, press: card && "p", off: off.includes(card) })) },
});
const ace = 1;
const none = { place: -1, lost: false }, lost = { place: -1, lost: true };

test("it is played once at the turn", () => {
  assert.equal(page.canChoose(state(1)), true);
  assert.equal(page.choose(state(1), ace), true);
  assert.deepEqual(page.due(state(1)), none);
  assert.deepEqual(page.due(state(0)), { place: 1, lost: false });
  assert.deepEqual(page.due(state(0)), none);
});

test("a second touch takes it back, and another card replaces it", () => {
  page.choose(state(1), ace);
  assert.equal(page.choose(state(1), ace), false);
  assert.deepEqual(page.due(state(0)), none);
  page.choose(state(1), ace);
  page.choose(state(1), 0);
  assert.equal(page.isChosen(state(1), ace), false);
  assert.deepEqual(page.due(state(0)), { place: 0, lost: false });
});

test("of two equal cards, only the touched one is chosen, raised and played", () => {
  const two = { hand: ["Ah", "7h", "Ah"] };
  const at = (is, live) => [0, 1, 2].filter((place) => is(live, place));
  page.choose(state(1, two), 2);
  assert.deepEqual(at(page.isChosen, state(1, two)), [2]);
  assert.equal(page.choose(state(1, two), 0), true);
  assert.deepEqual(at(page.isChosen, state(1, two)), [0]);
  page.choose(state(1, two), 2);
  assert.deepEqual(page.due(state(0, two)), { place: 2, lost: false });
  page.raise(state(0, two), 2);
  assert.deepEqual(at(page.isRaised, state(0, two)), [2]);
});

test("a card that can't be played then is not played, and the page says so", () => {
  page.choose(state(1), ace);
  assert.deepEqual(page.due(state(0, { off: ["Ah"] })), lost);
  page.choose(state(1), ace);
  assert.deepEqual(page.due(state(0, { choice: "decide" })), lost, "nobody continues a trick by accident");
});

test("the next deal forgets it", () => {
  page.choose(state(1), ace);
  assert.deepEqual(page.due(state(0, { deal: 2 })), none);
  assert.deepEqual(page.due(state(0)), none);
});

test("nothing is chosen at one's turn, after the deal, or without cards", () => {
  for (const live of [state(0), state(-1), { ...state(1), phase: "over" }]) assert.equal(page.canChoose(live), false);
  assert.equal(page.canChoose({ ...state(1), felt: { ...state(1).felt, hand: [] } }), false);
});

test("a raised card is raised for one turn", () => {
  page.raise(state(0), ace);
  assert.equal(page.isRaised(state(0), ace), true);
  assert.equal(page.isRaised(state(0), 0), false);
  assert.equal(page.isRaised(state(0, { ply: 1 }), ace), false);
});
