// What the page gets from the bot: package view's Live and package web's outgoing.

interface Play { seat: number; card: string; name: string; dark?: boolean }
interface Card { card: string; name: string; press?: string; off?: boolean; mark?: string }
interface Button { label: string; press: string; tone?: string; off?: boolean; card?: string; mark?: string }
interface Seat {
  name: string; side: number; cards: number; dealer?: boolean; turn?: boolean; leads?: boolean; passed?: boolean; won?: number; ai?: boolean; marks?: string[]; short?: string; who?: string; photo?: string;
}
interface Felt {
  deal: number; ply: number; turn: number; choice: string; trick: Play[]; winning: number; worth?: string;
  last?: { plays: Play[]; winning: number; winner: number; line: string };
  tricks: number; stock: number; clock?: number; limit?: number; hand: Card[]; why?: string; moves?: Button[]; log: string[];
}
interface Live {
  table: string; version: number; lang: string; cards: string; title: string; phase: string; me: number; seats: Seat[];
  sides?: { names: string; points: number; score: number }[]; felt?: Felt; line?: string; detail?: string; panel?: object; actions?: Button[];
}

// Step is one thing that happened between two states.
interface Step { kind: "cut" | "play" | "take" | "draw" | "deal"; to: Live; seat?: number; card?: string; show?: Live; from?: Live; winner?: number; side?: number; gain?: number; mine?: boolean }
