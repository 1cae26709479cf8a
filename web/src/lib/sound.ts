/** Sounds made of sine waves and noise, so that nothing has to be loaded. */
import { settings } from './settings.svelte';

export type Sound = 'move' | 'capture' | 'drop' | 'push' | 'check' | 'turn' | 'begin' | 'end' | 'low' | 'offer' | 'refused';

interface Tone {
  hertz: number;
  seconds: number;
  at: number;
  wave: OscillatorType;
  volume: number;
}

const tone = (hertz: number, seconds: number, at = 0, wave: OscillatorType = 'sine', volume = 0.14): Tone => ({
  hertz,
  seconds,
  at,
  wave,
  volume,
});

const SCORE: Record<Sound, Tone[]> = {
  move: [tone(190, 0.07, 0, 'triangle', 0.3), tone(95, 0.09, 0, 'sine', 0.3)],
  capture: [tone(240, 0.06, 0, 'triangle', 0.35), tone(120, 0.12, 0.05, 'triangle', 0.35)],
  drop: [tone(320, 0.05, 0, 'triangle', 0.25), tone(160, 0.1, 0.03, 'sine', 0.3)],
  push: [tone(150, 0.12, 0, 'triangle', 0.3), tone(110, 0.16, 0.06, 'triangle', 0.25)],
  check: [tone(520, 0.12), tone(660, 0.18, 0.1)],
  turn: [tone(587, 0.12), tone(880, 0.22, 0.11)],
  begin: [tone(392, 0.14), tone(523, 0.14, 0.12), tone(659, 0.26, 0.24)],
  end: [tone(523, 0.18), tone(392, 0.2, 0.16), tone(330, 0.42, 0.34)],
  offer: [tone(659, 0.12), tone(784, 0.18, 0.12)],
  low: [tone(880, 0.07), tone(880, 0.07, 0.14)],
  refused: [tone(140, 0.12, 0, 'sine', 0.2)],
};

let context: AudioContext | null = null;

/** Browsers stay silent until a person has touched something: the first touch or key wakes the sound, and any after a rest. */
function wake(): void {
  try {
    context ??= new AudioContext();
    if (context.state !== 'running') void context.resume();
  } catch {
    // A browser without sound still plays.
  }
}
for (const touched of ['pointerdown', 'keydown']) addEventListener(touched, wake, { capture: true, passive: true });

/** Play a sound, if the person wants any and the browser lets us. The last one is on the root element, for whoever tests. */
export function play(sound: Sound): void {
  if (!settings.sounds || context?.state !== 'running') return;
  const { destination, currentTime } = context;
  for (const note of SCORE[sound]) strike(context, destination, currentTime, note);
  document.documentElement.dataset['sound'] = sound;
}

function strike(audio: AudioContext, out: AudioNode, now: number, note: Tone): void {
  const [source, gain] = [audio.createOscillator(), audio.createGain()];
  const begin = now + note.at;
  source.type = note.wave;
  source.frequency.value = note.hertz;
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(note.volume, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + note.seconds);
  source.connect(gain).connect(out);
  source.start(begin);
  source.stop(begin + note.seconds + 0.02);
}
