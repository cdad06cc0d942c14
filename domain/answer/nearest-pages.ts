import type { Passage } from './passage.ts';
import { quoted } from './sentences.ts';

const PAGES = 3;

/**
 * A paragraph for an answer that has none: the titles and addresses of the three pages that the passages, nearest first,
 * stand on; empty where these name none. It holds no mark of a citation, as nothing rests on these pages.
 */
export function nearestPages(passages: readonly Passage[]): string {
  const lines = new Set(passages.map(lineOf).filter((line) => line !== ''));
  if (lines.size === 0) return '';
  const listed = [...lines].slice(0, PAGES).map((line) => `\n- ${line}`);
  return `\n\nThe nearest pages:${listed.join('')}`;
}

function lineOf({ title, url = '' }: Passage): string {
  const address = url.replaceAll(/[\s[\]`]/g, (sign) => encodeURIComponent(sign));
  return [quoted(title)?.text ?? '', address].filter((part) => part !== '').join(' ');
}
