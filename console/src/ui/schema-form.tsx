import { useId, useState } from 'react';
import { inLocalTime, shown } from './format.ts';
import { words } from '../words.ts';
import type { FieldWords } from '../words/sources.ts';

/** A property of a request body, as the OpenAPI document has it. */
export interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  /** Of an array. */
  readonly items?: Pick<Property, 'enum'> & { readonly properties?: BodySchema['properties'] };
  readonly pattern?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly 'x-rule'?: string;
}
export interface BodySchema {
  readonly description?: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
}

type Values = Readonly<Record<string, unknown>>;

/** What a control of its own is given in place of the field that the schema would make. */
export interface Control {
  readonly common: { readonly id: string; readonly required: boolean; readonly 'aria-describedby': string };
  readonly value: unknown;
  readonly change: (value: unknown) => void;
}

/** Fields for a request body, made from its schema: what must be there first, the rest where somebody asks for it. */
export const SchemaForm = ({
  schema,
  values,
  change,
  leaveOut,
  isWhole = false,
  first = [],
  named = {},
  controls = {},
  children,
}: {
  readonly schema: BodySchema;
  readonly values: Values;
  readonly change: (values: Values) => void;
  readonly leaveOut: readonly string[];
  /** Whether all fields are shown at once, in their order: those of a record that is there. */
  readonly isWhole?: boolean;
  /** Shown at once though they are optional. */
  readonly first?: readonly string[];
  /** What fields are called, and what they mean where the schema does not say it. */
  readonly named?: FieldWords;
  /** In place of a field of this name. */
  readonly controls?: Readonly<Record<string, React.ComponentType<Control>>>;
  /** Behind a field of this name, such as what a schedule means. */
  readonly children?: Readonly<Record<string, React.ReactNode>>;
}) => {
  const [isOpen, setOpen] = useState(false);
  const names = Object.keys(schema.properties).filter((name) => !leaveOut.includes(name));
  const isRequired = (name: string): boolean => schema.required?.includes(name) === true;
  const field = (name: string) => (
    <Field
      key={name}
      name={name}
      property={schema.properties[name]!}
      example={schema.examples?.[0]?.[name]}
      isRequired={isRequired(name)}
      value={values[name]}
      change={(value) => change({ ...values, [name]: value })}
      words={named[name] ?? { label: capitalized(name.replaceAll('_', ' ')) }}
      control={controls[name]}
      extra={children?.[name]}
    />
  );
  if (isWhole) return <>{names.map(field)}</>;
  const isShown = (name: string): boolean => isRequired(name) || first.includes(name);
  const optional = names.filter((name) => !isShown(name));
  return (
    <>
      {names.filter(isShown).map(field)}
      {optional.length > 0 && (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{words.create.optional}</summary>
          {optional.map(field)}
        </details>
      )}
    </>
  );
};

const Field = ({
  name,
  property,
  example,
  isRequired,
  value,
  change,
  words: { label, rule },
  control: Own,
  extra,
}: {
  readonly name: string;
  readonly property: Property;
  readonly example: unknown;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly words: FieldWords[string];
  readonly control: React.ComponentType<Control> | undefined;
  readonly extra: React.ReactNode;
}) => {
  const id = useId();
  const type = [property.type].flat().find((one) => one !== 'null');
  const isMoment = type === 'integer' && name.endsWith('_at');
  const said = rule === undefined ? [property.description, property['x-rule']] : [rule];
  const oneEach = type === 'array' && property.items?.enum === undefined ? words.create.oneEach : '';
  const rules = isMoment ? [] : [...said, rangeOf(property), oneEach];
  const common = { id, required: isRequired, 'aria-describedby': `${id}-hint` };
  const hint = (
    <small id={`${id}-hint`}>
      {rules.flatMap((text) => (text === undefined || text === '' ? [] : `${capitalized(text)}. `)).join('')}
    </small>
  );
  if (type === 'boolean')
    return (
      <div className="field">
        <label className="check">
          <input
            {...common}
            required={false}
            type="checkbox"
            checked={(value ?? property.default) === true}
            onChange={({ target }) => change(target.checked)}
          />
          <span>{label}</span>
        </label>
        {hint}
      </div>
    );
  return (
    <div className="field">
      {property.items?.enum === undefined ? <label htmlFor={id}>{label}</label> : <span>{label}</span>}
      {Own !== undefined ? (
        <Own common={common} value={value} change={change} />
      ) : property.enum !== undefined ? (
        <select
          {...common}
          value={textOf(value ?? property.default)}
          onChange={({ target }) => change(target.value === '' ? undefined : target.value)}
        >
          {property.default === undefined && <option value="" />}
          {property.enum.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : property.items?.enum !== undefined ? (
        <Choices
          choices={property.items.enum}
          chosen={(value ?? []) as readonly string[]}
          change={(chosen) => change(chosen.length === 0 ? undefined : chosen)}
        />
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
        <textarea
          {...common}
          rows={3}
          value={((value ?? []) as readonly string[]).join('\n')}
          onChange={({ target }) => change(target.value === '' ? undefined : target.value.split('\n'))}
        />
      ) : (
        <input
          {...common}
          type={type === 'integer' ? 'number' : property.format === 'uri' ? 'url' : 'text'}
          min={property.minimum}
          max={property.maximum}
          maxLength={property.maxLength}
          placeholder={textOf(example)}
          value={textOf(value)}
          onChange={({ target }) =>
            change(target.value === '' ? undefined : type === 'integer' ? Number(target.value) : target.value)
          }
        />
      )}
      {hint}
      {extra}
    </div>
  );
};

/** Several of a few. */
export const Choices = ({
  choices,
  chosen,
  change,
}: {
  readonly choices: readonly string[];
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
        <span>{choice}</span>
      </label>
    ))}
  </div>
);

const capitalized = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

const textOf = (value: unknown): string => (value === undefined ? '' : shown(value));

const rangeOf = ({ minimum, maximum }: Property): string | undefined =>
  minimum === undefined || maximum === undefined ? undefined : words.create.fromTo(minimum, maximum);
