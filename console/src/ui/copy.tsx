import { useState } from 'react';
import { words } from '../words.ts';

/** Copies a text; where the browser refuses, as without TLS, the text stands there to be copied by hand. */
export const Copy = ({
  text,
  label = words.actions.copy,
  copied,
}: {
  readonly text: string;
  readonly label?: string;
  readonly copied?: () => void;
}) => {
  const [done, setDone] = useState<boolean | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      copied?.();
    } catch {
      setDone(false);
    }
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          void copy();
        }}
      >
        {done === true ? words.actions.copied : label}
      </button>
      {done === false && <textarea className="code" readOnly rows={3} aria-label={label} value={text} />}
    </>
  );
};
