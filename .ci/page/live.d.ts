// What the page gets from the bot: package view's Live and package web's outgoing.

interface Play { seat: number; card: string; name: string; dark?: boolean }
interface Card { card: string; name: string; press?: string; off?: boolean; takes?: boolean; mark?: string }
interface Button { label: string; press: string; tone?: string; off?: boolean; card?: string; mark?: string }
interface Seat {
  name: string; side: number; cards: number; dealer?: boolean; turn?: boolean; leads?: boolean; won?: number; ai?: boolean; marks?: string[]; short?: string; who?: string; photo?: string; press?: string;
}
interface Trick { plays: Play[]; winning: number; winner: number; line: string; took?: string }
interface Felt {
  deal: number; ply: number; turn: number; choice: string; trick: Play[]; winning: number; worth?: string; last?: Trick;
  tricks: number; stock: number; clock?: number; limit?: number; hand: Card[]; why?: string; moves?: Button[]; log: string[];
}
interface Span { kind?: string; text?: string; strong?: boolean }
interface Block { look?: string; spans: Span[] }
interface Shown { blocks: Block[]; rows?: Button[][]; trick?: Trick }
interface Side { names: string; points: number; score: number }
interface Live {
  table: string; version: number; lang: string; cards: string; title: string; phase: string; me: number; seats: Seat[]; sides?: Side[]; felt?: Felt; line?: string; brief?: string; detail?: string;
  remark?: Block[]; panel?: Shown | null; actions?: Button[]; emblem?: string[]; watching?: number; invites?: boolean; shares?: boolean; hosts?: boolean; home?: boolean; open?: string; again?: string;
}
// Dealt is a state with a deal.
interface Dealt extends Live { felt: Felt }
interface ReplayStep extends Live { hands: Card[][]; text: Shown; choices?: { expects: number; cost: number; retry: string }[] }

// Step is one thing that happened between two states.
interface Step { kind: "cut" | "play" | "take" | "draw" | "deal"; to: Live; seat?: number; card?: string; show?: Live; from?: Live; winner?: number; side?: number; gain?: number; mine?: boolean }
type Whole = Required<Step> & { to: Dealt };

// The page's own.
type Press = (data: string, e: any, slot?: HTMLElement) => void;
type Post = (path: string, data: object) => Promise<any>;
interface Act { play: (place: number, slot: HTMLElement, how: string) => boolean | void; press: Press }
interface Session { as: string; fresh?: boolean }
interface Marked { place: number; card: string; deal?: string; turn?: string }
interface Sent { e: HTMLElement; slot?: HTMLElement; move: boolean; data: string; version: number; finish?: () => void }
interface Flight { e: HTMLElement; from: DOMRect; turn?: number; fade?: number; length?: number; delay?: number; loose?: boolean }
interface Emote { sign: string; gold?: string; ink?: string; blue?: string }
type Line = import("../../bot/web/page/line.js").Line;
interface Discord { post: Post; line: Line; live: Live }
