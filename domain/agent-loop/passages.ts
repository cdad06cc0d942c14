import type { AgentMessage } from '../agent-run/message.ts';

/** A passage that a knowledge base tool has returned, with the number that answers cite. */
export interface Passage {
  /** From 1; unique within the run, and not used in the history before it. */
  readonly number: number;
  readonly contentId: string;
  readonly sourceId: string;
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

/** Tools that return passages. Lines of other tools that look like passages are ignored. */
const PASSAGE_TOOLS: ReadonlySet<string> = new Set(['search', 'get_content', 'ask']);

/** Writes a passage as one line of JSON, so that no document can start another passage or end its own. */
export const passageLine = ({ number, contentId, sourceId, title, url, text }: Passage): string =>
  JSON.stringify({ passage: number, id: contentId, source: sourceId, title, url, text });

/** The passages in the result of a tool. */
export const passagesIn = (tool: string, result: string): readonly Passage[] =>
  !PASSAGE_TOOLS.has(tool) ? [] : result.split('\n').flatMap((line) => passageOf(line) ?? []);

/** The highest passage number in the results of the history; 0 when there is none. */
export const lastNumberIn = (history: readonly AgentMessage[]): number => {
  const numbers = history
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }) => content.split('\n'))
    .map((line) => Number(/^\{"passage":(\d{1,6}),/.exec(line)?.[1] ?? 0));
  return Math.max(0, ...numbers);
};

const passageOf = (line: string): Passage | null => {
  if (!line.startsWith('{"passage":')) return null;
  try {
    const fields = JSON.parse(line) as Record<string, unknown>;
    const { passage: number, id: contentId, source: sourceId, title, url, text } = fields;
    const words = [contentId, sourceId, title, url, text];
    if (!Number.isSafeInteger(number) || words.some((word) => typeof word !== 'string')) return null;
    return { number, contentId, sourceId, title, url, text } as Passage;
  } catch {
    return null;
  }
};

const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;

/** The cited numbers in order, without duplicates: `[3]`, `[3][4]` and `[3, 4]`. Ignores code. */
export const citedIn = (answer: string): readonly number[] => [
  ...new Set(
    [...answer.replaceAll(CODE, '').matchAll(/\[(\d{1,6}(?:\s*,\s*\d{1,6})*)\]/g)].flatMap(([, list = '']) =>
      list.split(',').map(Number),
    ),
  ),
];

/** Resolves the cited numbers of an answer to passages; `unknown` are the numbers without a passage. */
export const resolve = (
  answer: string,
  passages: readonly Passage[],
): { readonly cited: readonly Passage[]; readonly unknown: readonly number[] } => {
  const byNumber = new Map(passages.map((passage) => [passage.number, passage]));
  const numbers = citedIn(answer);
  return {
    cited: numbers.flatMap((number) => byNumber.get(number) ?? []),
    unknown: numbers.filter((number) => !byNumber.has(number)),
  };
};
