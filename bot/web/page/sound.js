// Sounds, made from noise and tones. They begin with the reader's first touch or key, as browsers want.

import { kept, keep } from "./make.js";

const usual = 30;
let volume = Number(kept("sedma-volume") ?? (kept("sedma-sound") === "off" ? 0 : usual)) || 0;
let touched = false;
for (const type of ["pointerup", "keydown"]) addEventListener(type, () => { touched = true; }, { once: true, capture: true });
/** @type {AudioContext} */
let audio;
/** @type {GainNode} */
let out;

export const soundVolume = () => volume;

// setVolume sets the volume, from 0 to 100.
/** @param {number} value */
export function setVolume(value) {
  touched = true;
  volume = value;
  keep("sedma-volume", value);
  if (out) out.gain.value = level();
  tap();
}

// mute turns the sounds off, or on again as loud as they were, and returns how loud they are now.
export function mute() {
  if (volume) keep("sedma-loud", volume);
  setVolume(volume ? 0 : Number(kept("sedma-loud")) || usual);
  return volume;
}

const level = () => (volume / 100) ** 2;

// context returns where sounds are played, or null if they are off.
function context() {
  if (!volume || !touched) return null;
  if (!audio) {
    audio = new AudioContext();
    out = new GainNode(audio, { gain: level() });
    out.connect(new DynamicsCompressorNode(audio)).connect(audio.destination);
  }
  audio.resume();
  return audio;
}

// fading returns a gain that begins at a moment with this strength and fades to nothing in length seconds.
/** @param {AudioContext} c @param {number} from @param {number} strength @param {number} length @param {number} rise */
function fading(c, from, strength, length, rise) {
  const fade = new GainNode(c, { gain: 0 });
  fade.gain.setValueAtTime(0, from);
  fade.gain.linearRampToValueAtTime(strength, from + rise);
  fade.gain.exponentialRampToValueAtTime(0.0004, from + length);
  fade.connect(out);
  return fade;
}

/** @type {AudioBuffer} */
let hiss; // half a second of noise

// brush plays noise whose pitch goes from one to another.
/** @param {AudioContext} c @param {number} from @param {{ strength: number, length: number, pitch: number, to: number, rise?: number }} how */
function brush(c, from, { strength, length, pitch, to, rise = 0.002 }) {
  if (!hiss) {
    hiss = new AudioBuffer({ length: c.sampleRate / 2, sampleRate: c.sampleRate });
    const data = hiss.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  const filter = new BiquadFilterNode(c, { type: "bandpass", frequency: pitch, Q: 0.8 });
  filter.frequency.setValueAtTime(pitch, from);
  filter.frequency.exponentialRampToValueAtTime(to, from + length);
  const source = new AudioBufferSourceNode(c, { buffer: hiss });
  source.connect(filter).connect(fading(c, from, strength, length, rise));
  source.start(from, Math.random() * 0.2, length);
}

// tone plays a tone that fades.
/** @param {AudioContext} c @param {number} from @param {{ strength: number, length: number, pitch: number, to?: number, rise?: number }} how */
function tone(c, from, { strength, length, pitch, to = pitch, rise = 0.002 }) {
  const source = new OscillatorNode(c, { frequency: pitch });
  source.frequency.setValueAtTime(pitch, from);
  source.frequency.exponentialRampToValueAtTime(to, from + length);
  source.connect(fading(c, from, strength, length, rise));
  source.start(from);
  source.stop(from + length);
}

// bar plays a note like that of a wooden bar: its tone and a short high one.
/** @param {AudioContext} c @param {number} from @param {number} pitch @param {number} strength */
function bar(c, from, pitch, strength) {
  tone(c, from, { pitch, strength, length: 0.7, rise: 0.004 });
  tone(c, from, { pitch: pitch * 3.93, strength: strength / 5, length: 0.14 });
}

// tap is a card that lands on the felt: the slap of the paper, and the table under it. Each one is a little different.
export function tap() {
  const c = context();
  if (!c) return;
  const now = c.currentTime, vary = 0.9 + Math.random() * 0.2;
  brush(c, now, { strength: 0.75, length: 0.07, pitch: 2600 * vary, to: 700 });
  tone(c, now + 0.004, { strength: 0.6, length: 0.11, pitch: 150 * vary, to: 62 });
}

// sweep is a trick that is gathered: cards that slide over the felt.
export function sweep() {
  const c = context();
  if (!c) return;
  brush(c, c.currentTime, { strength: 0.32, length: 0.34, pitch: 500, to: 1700, rise: 0.12 });
}

// riffle is cards that are dealt.
export function riffle(n = 4) {
  const c = context();
  if (!c) return;
  for (let i = 0; i < n; i++) brush(c, c.currentTime + i * 0.055, { strength: 0.4, length: 0.045, pitch: 3000 - i * 90, to: 1100 });
}

// gain is points for the reader's side.
export function gain() {
  const c = context();
  if (!c) return;
  for (const [pitch, after] of [[784, 0], [1047, 0.09]]) bar(c, c.currentTime + after, pitch, 0.2);
}

// chime announces the reader's turn.
export function chime() {
  const c = context();
  if (!c) return;
  for (const [pitch, after] of [[440, 0], [659, 0.13]]) bar(c, c.currentTime + after, pitch, 0.26);
}
