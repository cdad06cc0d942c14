import { useEffect, useId, useRef, useState } from 'react';
import type { FieldWords } from '../words/form-words.ts';
import { words } from '../words.ts';
import { inLocalTime, shown, spoken } from './format.ts';
import { problemOf } from './problem-of.ts';
import type { Property } from './schema.ts';

type Element = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What a control of its own is given in place of the field that the schema would make. */
export interface Control {
  /** Of the element whose value is checked. */
  readonly common: Common;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  /** Of a list of which several can be chosen. */
  readonly choices: readonly string[];
}
interface Common {
  readonly id: string;
  readonly required: boolean;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
  readonly ref: React.RefCallback<Element>;
  readonly onBlur: () => void;
  readonly onInvalid: (event: React.InvalidEvent<Element>) => void;
}

/** One field, with its rule, and the problem of its value once somebody has left it, or sends the form. */
export const Field = ({
  isMoment = false,
  property,
  example,
  isRequired,
  value,
  change,
  words: named,
  control: Own,
}: {
  /** Whether it is a time: Unix seconds. */
  readonly isMoment?: boolean;
  readonly property: Property;
  readonly example?: unknown;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly words: FieldWords;
  readonly control?: React.ComponentType<Control> | undefined;
}) => {
  const id = useId();
  const element = useRef<Element>(null);
  const [isLeft, setLeft] = useState(false);
  const [told, setTold] = useState('');
  const problem = problemOf(property, value, isRequired, named);
  useEffect(() => {
    element.current?.setCustomValidity(problem);
    setTold(isLeft ? (element.current?.validationMessage ?? '') : '');
  });
  const type = [property.type].flat().find((one) => one !== 'null');
  const common: Common = {
    id,
    required: isRequired,
    'aria-describedby': `${id}-rule ${id}-problem`,
    'aria-invalid': told !== '',
    ref: (it) => {
      element.current = it;
    },
    // One that is still empty is told of when the form is sent.
    onBlur: () => setLeft(value !== undefined && value !== ''),
    onInvalid: (event) => {
      // The words stand below the field, not in a bubble; the first of them is gone to, once its details are open.
      event.preventDefault();
      setLeft(true);
      const { form } = event.currentTarget;
      if (form?.querySelector(':is(input, select, textarea):invalid') === event.currentTarget)
        setTimeout(() => element.current?.focus());
    },
  };
  const { label, rule = '', choices = {} } = named;
  const below = (
    <>
      <small id={`${id}-rule`}>
        {[rule, isMoment ? '' : rangeOf(property)]
          .flatMap((text) => (text === '' ? [] : `${text}. `))
          .join('')}
      </small>
      <span id={`${id}-problem`} className="reason">
        {told}
      </span>
    </>
  );
  if (type === 'boolean')
    return (
      <div className="field">
        <label className="check">
          <input
            id={id}
            aria-describedby={`${id}-rule`}
            type="checkbox"
            checked={(value ?? property.default) === true}
            onChange={({ target }) => change(target.checked)}
          />
          <span>{label}</span>
        </label>
        {below}
      </div>
    );
  if (Own === undefined && property.items?.enum !== undefined)
    return (
      <div className="field" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-rule`}>
        <span id={`${id}-label`}>{label}</span>
        <Choices
          choices={property.items.enum}
          named={choices}
          chosen={(value ?? []) as readonly string[]}
          change={(chosen) => change(chosen.length === 0 ? undefined : chosen)}
        />
        {below}
      </div>
    );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {Own !== undefined ? (
        <Own common={common} value={value} change={change} choices={property.items?.enum ?? []} />
      ) : property.enum !== undefined ? (
        <select
          {...common}
          value={textOf(value ?? property.default)}
          onChange={({ target }) => change(target.value === '' ? undefined : target.value)}
        >
          {property.default === undefined && !isRequired && <option value="">{choices['']}</option>}
          {property.enum.map((choice) => (
            <option key={choice} value={choice}>
              {choices[choice] ?? choice}
            </option>
          ))}
        </select>
      ) : isMoment ? (
        <input
          {...common}
          type="datetime-local"
          value={value === undefined ? '' : inLocalTime(value as number).slice(0, 16)}
          onChange={({ target }) =>
            change(target.value === '' ? undefined : Math.floor(Date.parse(target.value) / 1_000))
          }
        />
      ) : type === 'array' ? (
        <Lines common={common} value={value} change={change} />
      ) : (
        <input
          {...common}
          type={type === 'integer' ? 'number' : property.format === 'uri' ? 'url' : 'text'}
          min={property.minimum}
          max={property.maximum}
          maxLength={property.maxLength}
          placeholder={textOf(example ?? property.default)}
          value={textOf(value)}
          onChange={({ target }) =>
            change(
              target.value.trim() === ''
                ? undefined
                : type === 'integer'
                  ? Number(target.value)
                  : target.value,
            )
          }
        />
      )}
      {below}
    </div>
  );
};

/** A list, one on each line; blank lines are none. */
const Lines = ({ common, value, change }: Omit<Control, 'choices'>) => {
  const [text, setText] = useState(((value ?? []) as readonly string[]).join('\n'));
  return (
    <textarea
      {...common}
      rows={3}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const lines = target.value.split('\n').flatMap((line) => line.trim() || []);
        change(lines.length === 0 ? undefined : lines);
      }}
    />
  );
};

/** Several of a few. */
export const Choices = ({
  choices,
  named,
  chosen,
  change,
}: {
  readonly choices: readonly string[];
  readonly named: Readonly<Record<string, string>>;
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
}) => (
  <div className="choices">
    {choices.map((choice) => (
      <label key={choice} className="check">
        <input
          type="checkbox"
          checked={chosen.includes(choice)}
          onChange={({ target }) =>
            change(choices.filter((one) => (one === choice ? target.checked : chosen.includes(one))))
          }
        />
        <span>{named[choice] ?? spoken(choice)}</span>
      </label>
    ))}
  </div>
);

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : shown(value));

const rangeOf = ({ minimum, maximum }: Property): string =>
  minimum === undefined || maximum === undefined ? '' : words.forms.fromTo(minimum, maximum);
