// Quiet sounds, off until the reader turns them on.

import { kept, keep } from "./make.js";

let on = kept("sedma-sound") === "on";
let audio;

export const soundOn = () => on;

export function setSound(value) {
  on = value;
  keep("sedma-sound", on ? "on" : "off");
  if (on) tap();
}

function context() {
  if (!on) return null;
  audio ??= new AudioContext();
  audio.resume();
  return audio;
}

// tap makes the sound of a card on felt: a short burst of noise.
export function tap() {
  const c = context();
  if (!c) return;
  const length = c.sampleRate * 0.05;
  const noise = new AudioBuffer({ length, sampleRate: c.sampleRate });
  const data = noise.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
  const source = new AudioBufferSourceNode(c, { buffer: noise });
  source.connect(new BiquadFilterNode(c, { type: "lowpass", frequency: 1400 })).connect(new GainNode(c, { gain: 0.25 })).connect(c.destination);
  source.start();
}

// chime announces the reader's turn.
export function chime() {
  const c = context();
  if (!c) return;
  for (const [pitch, after] of [[587, 0], [880, 0.11]]) {
    const from = c.currentTime + after;
    const level = new GainNode(c, { gain: 0 });
    level.gain.setValueAtTime(0, from);
    level.gain.linearRampToValueAtTime(0.06, from + 0.02);
    level.gain.exponentialRampToValueAtTime(0.0005, from + 0.35);
    const tone = new OscillatorNode(c, { type: "sine", frequency: pitch });
    tone.connect(level).connect(c.destination);
    tone.start(from);
    tone.stop(from + 0.4);
  }
}
