import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DetectCharset } from '../../../application/ports/text-decoding.ts';

/** What is used of it here: the types of Node lack it. */
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** chardetng, the detector of Firefox, as WebAssembly: its glue in JavaScript is for bundlers alone. */
interface Detector {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Calls a function that it exports. Addresses, lengths and results are numbers. */
  readonly call: (name: string, ...values: readonly number[]) => number;
}

/**
 * The encoding of bytes that are not UTF-8, by the letters of the languages that use it: a few words suffice. Where all
 * that distinguishes it from windows-1252 are signs, it is windows-1252: `£5` is a price, no letter of Polish.
 */
export const detectCharset: DetectCharset = (sample) => {
  const guess = guessOf(sample);
  const western = new TextDecoder('windows-1252').decode(sample);
  return differsInSigns(western, new TextDecoder(guess).decode(sample)) ? 'windows-1252' : guess;
};

const guessOf = (sample: Uint8Array): string => {
  const { memory, call } = load();
  const detector = call('encodingdetector_new');
  const bytes = call('__wbindgen_malloc', sample.length);
  new Uint8Array(memory.buffer).set(sample, bytes);
  // Frees the bytes too. A long sample may end within a character.
  call('encodingdetector_feed', detector, bytes, sample.length, sample.length < LONG ? 1 : 0);
  const result = call('__wbindgen_add_to_stack_pointer', -16);
  // No top-level domain, and never UTF-8.
  call('encodingdetector_guess', result, detector, 0, 0, 0);
  const [name = 0, length = 0] = new Uint32Array(memory.buffer, result, 2);
  const guess = Buffer.from(new Uint8Array(memory.buffer, name, length)).toString('latin1');
  call('__wbindgen_free', name, length);
  call('__wbindgen_add_to_stack_pointer', 16);
  call('__wbg_encodingdetector_free', detector);
  return guess;
};

const LONG = 1_024;

let loaded: Detector | undefined;

const load = (): Detector => {
  if (loaded !== undefined) return loaded;
  const file = createRequire(import.meta.url).resolve('chardetng-wasm/dist/chardetng_wasm_bg.wasm');
  const fail = (): never => {
    throw new Error('chardetng failed');
  };
  const imports = { './chardetng_wasm_bg.js': { ['__wbindgen_throw']: fail } };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), imports);
  const functions = exports as Record<string, (...values: readonly number[]) => number>;
  const { memory } = exports as Pick<Detector, 'memory'>;
  loaded = { memory, call: (name, ...values) => functions[name]!(...values) };
  return loaded;
};

/** Signs that stand beside numbers and spaces, and units such as m² and µm; a letter of another script is none. */
const SIGN = /^[^\p{L}\p{M}\p{Cc}\ufffd]$/u;
const UNIT = /(?<!\p{L})(?:[cdkm]?m[²³]|µ[mgls])(?!\p{L})/gu;

/** Whether all in which a text as windows-1252 differs from another reading of its bytes are signs and units. */
const differsInSigns = (western: string, other: string): boolean => {
  const isSame = (at: number): boolean => other.length === western.length && western[at] === other[at];
  const withoutUnits = western.replaceAll(UNIT, (unit) => ' '.repeat(unit.length));
  for (const { 0: mark, index: at } of withoutUnits.matchAll(/[^\0-\x7f]/gu)) {
    const touchesLetter = /\p{L}/u.test(`${western[at - 1] ?? ''}${western[at + 1] ?? ''}`);
    if (!isSame(at) && (touchesLetter || !SIGN.test(mark))) return false;
  }
  return true;
};
