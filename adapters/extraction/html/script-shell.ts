import type { Attributes } from './tags.ts';

/** Finds out whether a page is a shell that its scripts fill: to whoever does not run them it says next to nothing. */
export interface ScriptShell {
  open(name: string, attributes: Attributes, depth: number): void;
  close(name: string, depth: number): void;
  text(data: string): void;
  /** @param characters of the content of the page */
  finish(characters: number): boolean;
}

/** A page that says more is worth to be found as it is. */
const MOST_CHARACTERS = 200;
/** Shorter ones are no advice to people. */
const LEAST_NOSCRIPT = 15;
/** Where the usual frameworks put what they make. */
const ROOTS = /^(?:root|app|main|__next|__nuxt|___gatsby|svelte|q-app|react-root|app-root|mount)$/i;
const DATA = /json|template|importmap|speculationrules/i;

/** Careful: nothing but scripts, and a sign that the page itself expects to be filled by them. */
export const createScriptShell = (): ScriptShell => {
  let scripts = 0;
  let noscript = 0;
  let advice = 0;
  /** Depth of the root element that is open and has nothing in it yet. */
  let root = 0;
  let emptyRoots = 0;

  return {
    open: (name, attributes, depth) => {
      root = 0;
      if (name === 'script' && !DATA.test(attributes.type ?? '')) scripts += 1;
      else if (name === 'noscript') noscript = depth;
      else if (name === 'app-root' || ROOTS.test(attributes.id ?? '')) root = depth;
    },
    close: (_, depth) => {
      if (depth === root && depth > 0) emptyRoots += 1;
      if (depth === noscript) noscript = 0;
      root = 0;
    },
    text: (data) => {
      const said = data.trim().length;
      if (noscript > 0) advice += said;
      if (said > 0) root = 0;
    },
    finish: (characters) =>
      scripts > 0 && characters <= MOST_CHARACTERS && (emptyRoots > 0 || advice >= LEAST_NOSCRIPT),
  };
};
