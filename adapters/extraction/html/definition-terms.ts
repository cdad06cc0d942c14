import type { Attributes } from './tags.ts';
import type { End, TextBlocks } from './text-blocks.ts';

/** Follows the lists of definitions of a page, and signs the terms that they define. */
interface DefinitionTerms {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** Before text that is said. */
  text(data: string): void;
}

interface OpenList {
  /** Where those terms end that wait for what defines them: several in a row are names of one thing. */
  terms: End[];
  /** Where the open term begins; null: none is open. */
  start: End | null;
  isLinkedTo: boolean;
  /** Whether a definition has begun since the last term. */
  isDefining: boolean;
}

/** `Author:` says of which sort something is, and names nothing. */
const LABEL = /[:：]$/u;
const LETTER = /\p{L}/u;
const HEADING = /^h[1-6]$/;
const INK = /[\p{L}\p{N}]/u;

/**
 * What stands within a definition is a part of it, such as the values of a setting: of its terms only those that can be
 * linked to have a definition of their own, as methods of a class do. A list with nothing but links behind its terms, such
 * as an index, defines nothing.
 */
export const createDefinitionTerms = (blocks: TextBlocks): DefinitionTerms => {
  const lists: OpenList[] = [];
  let isLink = false;
  /** Those that wait for what defines their terms, the innermost last. */
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
