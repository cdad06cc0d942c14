import { LINE_ELEMENTS, PARAGRAPH_ELEMENTS } from './tags.ts';
import { GAP, type TextBlocks } from './text-blocks.ts';

export const isHeading = (name: string): boolean => {
  const digit = name.charCodeAt(1);
  return name.length === 2 && name.startsWith('h') && digit >= 0x31 && digit <= 0x36;
};

/** Whether what follows begins a line of its own. */
export const endsLine = (name: string): boolean =>
  name !== 'td' &&
  name !== 'th' &&
  (LINE_ELEMENTS.has(name) || PARAGRAPH_ELEMENTS.has(name) || isHeading(name));

/** @param isInHeading where a new line is a space */
export const openGap = (name: string, isInHeading: boolean, blocks: TextBlocks): void => {
  if (name === 'td' || name === 'th') blocks.gap(GAP.cell);
  else if (name === 'br' || name === 'tr') blocks.gap(isInHeading ? GAP.space : GAP.line);
  else closeGap(name, blocks);
};

export const closeGap = (name: string, blocks: TextBlocks): void => {
  if (PARAGRAPH_ELEMENTS.has(name)) blocks.gap(GAP.paragraph);
  else if (LINE_ELEMENTS.has(name) && name !== 'td' && name !== 'th') blocks.gap(GAP.line);
};
