import type { Content } from 'knowledger-client';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Highlight, highlighted } from '../../ui/highlights.tsx';
import { words } from '../../words.ts';
import { stretchesOf, textOf } from './text.ts';

/** What was found in the passage with this id. */
export type HighlightsOf = (id: string) => readonly Highlight[];

/** The text of a document with its passages marked on it, by turns in two tints; what two share is darker. */
export const MarkedText = ({
  passages,
  before,
  sought,
  highlights,
}: {
  readonly passages: readonly Content[];
  /** How many of the document stand before these. */
  readonly before: number;
  readonly sought: string | undefined;
  readonly highlights: HighlightsOf | undefined;
}) => {
  const { placed, stretches } = useMemo(() => {
    const { text, placed: at } = textOf(passages);
    return { placed: at, stretches: stretchesOf(text, at) };
  }, [passages]);
  const [pointed, setPointed] = useState<number | null>(null);
  const soughtAt = placed.findIndex(({ id }) => id === sought);
  const isThere = soughtAt >= 0;
  const shown = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (!isThere) return;
    const first = (one: string) => shown.current?.querySelector<HTMLElement>(one) ?? null;
    toMiddle(first('.marked mark') ?? first('.marked'));
  }, [sought, isThere]);
  const told = pointed ?? (soughtAt < 0 ? 0 : soughtAt);
  const found = placed
    .flatMap(({ id, start: at }) =>
      (highlights?.(id) ?? []).map(({ start, end }) => ({ start: at + start, end: at + end })),
    )
    .toSorted((a, b) => a.start - b.start);
  let reached = 0;
  const numbered = new Set<number>();
  const nameOf = (index: number): string => {
    const { start, end } = placed[index]!;
    const { page_number: page } = passages[index]!;
    return words.document.about(before + index + 1, end - start, page);
  };
  return (
    <>
      <p className="passage-told" aria-live="polite">
        <strong>{nameOf(told)}</strong> <code>{placed[told]!.id}</code>
      </p>
      <p className="faint">{words.document.marksHint}</p>
      <pre ref={shown} className="passages" onMouseLeave={() => setPointed(null)}>
        {stretches.map(({ text, covers }) => {
          const from = reached;
          reached += text.length;
          const begins = covers.filter((index) => !numbered.has(index));
          for (const index of begins) numbered.add(index);
          const own = covers.at(-1);
          if (own === undefined) return text;
          const isSought = covers.includes(soughtAt);
          return (
            <mark
              key={`${placed[own]!.id} ${from - placed[own]!.start}`}
              className={[
                `passage-${own % 2}`,
                ...(covers.length > 1 ? ['shared'] : []),
                ...(pointed !== null && covers.includes(pointed) ? ['pointed'] : []),
                ...(isSought ? ['marked'] : []),
              ].join(' ')}
              onMouseEnter={() => setPointed(own)}
            >
              {begins.map((index) => (
                <button
                  key={index}
                  type="button"
                  className="passage-number"
                  aria-label={`${nameOf(index)}, ${placed[index]!.id}`}
                  onFocus={() => setPointed(index)}
                  onClick={() => setPointed(index)}
                >
                  {before + index + 1}
                </button>
              ))}
              {highlighted(text, found, from)}
            </mark>
          );
        })}
      </pre>
    </>
  );
};

/** Scrolls the document alone to what was found, or the beginning of the passage: the list beside it stays where it is. */
const toMiddle = (mark: HTMLElement | null): void => {
  const box = mark?.closest('.document') ?? null;
  if (mark === null || box === null) return;
  const [inner, outer] = [mark.getBoundingClientRect(), box.getBoundingClientRect()];
  box.scrollTop += inner.top - outer.top - Math.max(0, outer.height - inner.height) / 2;
};
