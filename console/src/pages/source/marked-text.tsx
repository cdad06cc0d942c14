import type { Content } from 'knowledger-client';
import { useMemo, useState } from 'react';
import { words } from '../../words.ts';
import { stretchesOf, textOf } from './text.ts';

/** The text of a document with its passages marked on it, by turns in two tints; what two share is darker. */
export const MarkedText = ({
  passages,
  sought,
}: {
  readonly passages: readonly Content[];
  readonly sought: string | undefined;
}) => {
  const { placed, stretches } = useMemo(() => {
    const { text, placed: at } = textOf(passages);
    return { placed: at, stretches: stretchesOf(text, at) };
  }, [passages]);
  const [pointed, setPointed] = useState<number | null>(null);
  const soughtAt = placed.findIndex(({ id }) => id === sought);
  const told = pointed ?? (soughtAt < 0 ? 0 : soughtAt);
  const numbered = new Set<number>();
  const nameOf = (index: number): string => {
    const { start, end } = placed[index]!;
    const { page_number: page } = passages[index]!;
    return words.document.about(index + 1, end - start, page);
  };
  return (
    <>
      <p className="passage-told" aria-live="polite">
        <strong>{nameOf(told)}</strong> <code>{placed[told]!.id}</code>
      </p>
      <p className="faint">{words.document.marksHint}</p>
      <pre className="passages" onMouseLeave={() => setPointed(null)}>
        {stretches.map(({ text, covers }, i) => {
          const begins = covers.filter((index) => !numbered.has(index));
          for (const index of begins) numbered.add(index);
          const own = covers.at(-1);
          if (own === undefined) return text;
          const isSought = covers.includes(soughtAt);
          return (
            <mark
              key={i}
              className={[
                `passage-${own % 2}`,
                ...(covers.length > 1 ? ['shared'] : []),
                ...(pointed !== null && covers.includes(pointed) ? ['pointed'] : []),
                ...(isSought ? ['marked'] : []),
              ].join(' ')}
              ref={isSought ? toMiddle : undefined}
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
                  {index + 1}
                </button>
              ))}
              {text}
            </mark>
          );
        })}
      </pre>
    </>
  );
};

const toMiddle = (mark: HTMLElement | null): void => mark?.scrollIntoView({ block: 'center' });
