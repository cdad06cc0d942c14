import { useState } from 'react';
import { inLocalTime, shown } from './format.ts';
import { words } from '../words.ts';

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

/** Fields for a request body, made from its schema: what must be there first, the rest where somebody asks for it. */
export const SchemaForm = ({
  schema,
  values,
  change,
  leaveOut,
  isWhole = false,
  children,
}: {
  readonly schema: BodySchema;
  readonly values: Values;
  readonly change: (values: Values) => void;
  readonly leaveOut: readonly string[];
  /** Whether all fields are shown at once, in their order: those of a record that is there. */
  readonly isWhole?: boolean;
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
      extra={children?.[name]}
    />
  );
  if (isWhole) return <>{names.map(field)}</>;
  const optional = names.filter((name) => !isRequired(name));
  return (
    <>
      {names.filter(isRequired).map(field)}
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
  extra,
}: {
  readonly name: string;
  readonly property: Property;
  readonly example: unknown;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly extra: React.ReactNode;
}) => {
  const id = `field-${name}`;
  const type = [property.type].flat().find((one) => one !== 'null');
  const isMoment = type === 'integer' && name.endsWith('_at');
  const rules = isMoment
    ? []
    : [property.description, property['x-rule'], rangeOf(property)].filter((rule) => rule !== undefined);
  const common = { id, required: isRequired, 'aria-describedby': `${id}-hint` };
  const label = capitalized(name.replaceAll('_', ' '));
  const hint = (
    <small id={`${id}-hint`}>
      {rules.map(capitalized).join('. ')}
      {type === 'array' && property.items?.enum === undefined && ` (${words.create.oneEach.toLowerCase()})`}
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
      {property.enum !== undefined ? (
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
  minimum === undefined || maximum === undefined
    ? undefined
    : `${minimum.toLocaleString()} to ${maximum.toLocaleString()}`;
