// The page shows the steps between two states of a table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sentences, steps } from "../../bot/web/page/steps.js";

const play = (seat, card) => ({ seat, card, name: card });

// state returns a table of two players. The reader is seat 0, with the places of a hand.
function state({ hand = ["7h", "Ah", "9s", "Kc"], counts = [4, 4], felt = {}, points = [0, 0], ...more } = {}) {
  return {
    table: "t", version: 1, me: 0, phase: "playing", line: "", seats: counts.map((cards, side) => ({ name: "AB"[side], side, cards })),
    sides: points.map((n) => ({ names: "", points: n, score: 0 })),
    felt: { deal: 1, ply: 0, turn: 0, choice: "lead", trick: [], winning: -1, tricks: 0, stock: 24, log: [], hand: hand.map((card) => ({ card, name: card, press: card && "p" })), ...felt },
    ...more,
  };
}
const kinds = (list) => list.map((s) => s.kind).join(" ");

test("a card is played from its place in the hand", () => {
  const before = state(), after = state({ hand: ["", "Ah", "9s", "Kc"], counts: [3, 4], felt: { ply: 1, turn: 1, trick: [play(0, "7h")], winning: 0 } });
  const list = steps(before, after);
  assert.equal(kinds(list), "play");
  assert.deepEqual([list[0].seat, list[0].card], [0, "7h"]);
  assert.equal(list[0].to, after, "the last step is the true state");
});

test("two cards at once are two steps, and neither shows a hand that can be played", () => {
  const before = state({ felt: { turn: 1 } });
  const after = state({ counts: [3, 3], hand: ["", "Ah", "9s", "Kc"], felt: { ply: 2, trick: [play(1, "9h"), play(0, "7h")], winning: 1, choice: "decide" } });
  const list = steps(before, after);
  assert.equal(kinds(list), "play play");
  assert.ok(list[0].to.felt.hand.every((c) => c.off), "a card of a step in between can't be touched");
  assert.equal(list[0].to.seats[1].turn, true, "who plays is marked");
});

test("a trick that is taken is gathered, its points are counted, and cards are drawn", () => {
  const before = state({ counts: [4, 3], felt: { ply: 1, trick: [play(1, "Ah")], winning: 0 } });
  const last = { plays: [play(1, "Ah"), play(0, "7h")], winning: 1, winner: 0, line: "A took: B Ah, A 7h" };
  const after = state({ hand: ["Ts", "Ah", "9s", "Kc"], points: [10, 0], felt: { ply: 2, tricks: 1, stock: 22, last } });
  after.seats[0].won = 1;
  const list = steps(before, after);
  assert.equal(kinds(list), "play take draw");
  const take = list[1];
  assert.deepEqual([take.winner, take.side, take.gain, take.mine], [0, 0, 10, true]);
  assert.equal(take.show.felt.winning, 1);
  assert.equal(take.show.seats[0].won, undefined, "the pile grows only when the trick has arrived");
  assert.equal(take.to.seats[0].won, 1);
  assert.equal(list[2].to, after);
});

test("what can't be one or the other is shown at once", () => {
  const before = state({ felt: { tricks: 1 } });
  for (const [why, after] of Object.entries({
    "another table": state({ table: "u" }), "a missed trick": state({ felt: { tricks: 3, last: { plays: [], winner: 0 } } }), "a card taken back": state({ felt: { tricks: 0 } }),
    "another seat": state({ me: 1, felt: { tricks: 1 } }), "a deal that has begun": state({ felt: { deal: 2, tricks: 1 } }), "no deal": { ...state(), felt: undefined },
  })) assert.equal(kinds(steps(before, after)), "cut", why);
  assert.equal(kinds(steps(null, before)), "cut", "the first state");
  assert.equal(kinds(steps(before, state({ felt: { deal: 2 } }))), "deal");
});

test("a screen reader gets a sentence for each card and each trick", () => {
  const by = (seat, card) => `${"AB"[seat]}: ${card}`;
  const before = state({ counts: [4, 3], felt: { trick: [play(1, "Ah")], winning: 0 } });
  const after = state({ felt: { tricks: 1, last: { plays: [play(1, "Ah"), play(0, "7h")], winning: 1, winner: 0, line: "A took it: Ah, 7h", took: "A took 10" } } });
  assert.deepEqual(sentences(before, after, by), ["A: 7h", "A took 10"]);
  const later = state({ felt: { tricks: 3, trick: [play(1, "9s")], log: ["one", "two", "three"] } });
  assert.deepEqual(sentences(after, later, by), ["two", "three", "B: 9s"], "states that were merged");
  assert.deepEqual(sentences(later, later, by), []);
  assert.deepEqual(sentences(null, later, by), ["B: 9s"], "a table that is new to the reader");
});
