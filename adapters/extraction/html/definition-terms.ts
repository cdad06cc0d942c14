import type { Attributes } from './tags.ts';
import type { End, TextBlocks } from './text-blocks.ts';

/** Tracks the definition lists of a page, and marks the terms that they define. */
interface DefinitionTerms {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** Called before visible text. */
  text(data: string): void;
}

interface OpenList {
  /** Ends of the terms that still wait for a definition: several in a row are names of one thing. */
  terms: End[];
  /** Start of the open term; null when none is open. */
  start: End | null;
  isLinkedTo: boolean;
  /** Whether a definition has begun since the last term. */
  isDefining: boolean;
}

/** A label such as `Author:` names a category, not a term. */
const LABEL = /[:：]$/u;
const LETTER = /\p{L}/u;
const HEADING = /^h[1-6]$/;
const INK = /[\p{L}\p{N}]/u;

/**
 * A list within a definition is part of it, such as the values of a setting: only terms with a link target have their
 * own definition there, as the methods of a class do. A list that has only links after its terms, such as an index,
 * defines nothing.
 */
export const createDefinitionTerms = (blocks: TextBlocks): DefinitionTerms => {
  const lists: OpenList[] = [];
  let isLink = false;
  /** Lists whose terms wait for a definition, innermost last. */
  const waiting: OpenList[] = [];
  const waitNoMore = (list: OpenList): void => {
    if (waiting.at(-1) === list) waiting.pop();
  };

  const endTerm = (list: OpenList): void => {
    if (list.start === null) return;
    const text = blocks.since(list.start).trim();
    const isOwn = lists.length === 1 || list.isLinkedTo || text.endsWith('¶');
    if (isOwn && LETTER.test(text) && !LABEL.test(text)) list.terms.push(blocks.end());
    list.start = null;
  };

  return {
    open: (name, { id, href }) => {
      if (name === 'a') isLink = href !== undefined;
      if (name === 'dl') lists.push({ terms: [], start: null, isLinkedTo: false, isDefining: false });
      const list = lists.at(-1);
      if (list === undefined) return;
      if (name === 'dt') {
        if (list.isDefining) [list.terms, list.isDefining] = [[], false];
        waitNoMore(list);
        [list.start, list.isLinkedTo] = [blocks.end(), id !== undefined];
      } else if (HEADING.test(name)) list.start = null;
      else if (name === 'dd' && !list.isDefining) {
        list.isDefining = true;
        if (list.terms.length > 0) waiting.push(list);
      }
    },
    close: (name) => {
      if (name === 'a') isLink = false;
      const list = lists.at(-1);
      if (list === undefined) return;
      if (name === 'dt') endTerm(list);
      else if (name === 'dl') {
        waitNoMore(list);
        lists.pop();
      }
    },
    text: (data) => {
      if (waiting.length === 0 || isLink || lists.at(-1)?.start !== null || !INK.test(data)) return;
      for (const list of waiting) {
        for (const end of list.terms) blocks.sign(end);
        list.terms = [];
      }
      waiting.length = 0;
    },
  };
};
