import type { FieldWords } from '../words/form-words.ts';
import { type Control, Field } from './field.tsx';

/** A field of JSON, as text. */
export const JsonField = ({
  words,
  text,
  change,
  isRequired,
}: {
  readonly words: FieldWords;
  readonly text: string;
  readonly change: (text: string) => void;
  readonly isRequired: boolean;
}) => (
  <Field
    property={{ type: 'string', format: 'json' }}
    isRequired={isRequired}
    value={text}
    change={(typed) => change(typed as string)}
    words={words}
    control={Json}
  />
);

const Json = ({ common, value, change }: Control) => (
  <textarea
    {...common}
    className="code"
    spellCheck={false}
    rows={8}
    value={value as string}
    onChange={({ target }) => change(target.value)}
  />
);

export const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);
