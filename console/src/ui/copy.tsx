import { useState } from 'react';
import { words } from '../words.ts';

/** Copies a text; where the browser refuses, as without TLS, the text stands there to be copied by hand. */
export const Copy = ({
  text,
  label = words.actions.copy,
}: {
  readonly text: string;
  readonly label?: string;
}) => {
  const [done, setDone] = useState<boolean | null>(null);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          Promise.resolve(navigator.clipboard?.writeText(text))
            .then(() => setDone(navigator.clipboard !== undefined))
            .catch(() => setDone(false));
        }}
      >
        {done === true ? words.actions.copied : label}
      </button>
      {done === false && <textarea className="code" readOnly rows={3} aria-label={label} value={text} />}
    </>
  );
};
