import { useState } from 'react';
import { words } from '../words.ts';
import type { FormWords } from '../words/form-words.ts';
import type { BodySchema, Property } from './schema.ts';
import { type Control, Field } from './field.tsx';

export type Values = Readonly<Record<string, unknown>>;

/** Whether a field is shown where it depends on others, and must then be filled in. */
type Need = 'hidden' | 'optional' | 'required';

/** The fields of a request body that have words, checked by its schema: first those that must be filled in. */
export const SchemaForm = ({
  schema,
  values,
  change,
  named,
  isWhole = false,
  first = [],
  depends = {},
  controls = {},
}: {
  readonly schema: BodySchema;
  readonly values: Values;
  readonly change: (values: Values) => void;
  readonly named: FormWords;
  /** Whether all fields are shown at once, in their order: those of a record that is there. */
  readonly isWhole?: boolean;
  /** Shown at once though they are optional. */
  readonly first?: readonly string[];
  /** Of fields that depend on others; one that is hidden has no value. */
  readonly depends?: Readonly<Record<string, (values: Values) => Need>>;
  /** In place of a field of this name. */
  readonly controls?: Readonly<Record<string, React.ComponentType<Control>>>;
}) => {
  const [isOpen, setOpen] = useState(false);
  const needOf = (name: string): Need =>
    depends[name]?.(values) ??
    // A change of a record requires nothing, but a name that is there cannot be taken away.
    ((schema.required?.includes(name) ?? (isWhole && !mayBeEmpty(schema.properties[name]!)))
      ? 'required'
      : 'optional');
  const names = Object.keys(schema.properties).filter((name) => named[name] && needOf(name) !== 'hidden');
  const set = (name: string, value: unknown): void => {
    const next = { ...values, [name]: value };
    const kept = Object.entries(next).filter(([one]) => depends[one]?.(next) !== 'hidden');
    change(Object.fromEntries(kept));
  };
  const field = (name: string) => (
    <Field
      key={name}
      isMoment={name.endsWith('_at')}
      property={schema.properties[name]!}
      example={schema.examples?.[0]?.[name]}
      isRequired={needOf(name) === 'required'}
      value={values[name]}
      change={(value) => set(name, value)}
      words={named[name]!}
      control={controls[name]}
    />
  );
  if (isWhole) return <>{names.map(field)}</>;
  const isShown = (name: string): boolean => schema.required?.includes(name) === true || first.includes(name);
  const optional = names.filter((name) => !isShown(name));
  return (
    <>
      {names.filter(isShown).map(field)}
      {optional.length > 0 && (
        <details
          open={isOpen}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
          onInvalidCapture={() => setOpen(true)}
        >
          <summary>{words.forms.optional}</summary>
          {optional.map(field)}
        </details>
      )}
    </>
  );
};

const typesOf = ({ type = [] }: Property): readonly string[] => [type].flat();

const mayBeEmpty = (property: Property): boolean =>
  typesOf(property).some((type) => ['null', 'array', 'boolean'].includes(type)) ||
  (typesOf(property).includes('string') &&
    property.pattern === undefined &&
    property.minLength === undefined &&
    property.format === undefined);

/** What stands for no value in a change of a record, where an absent field stays as it is. */
export const emptyOf = (property: Property): unknown =>
  typesOf(property).includes('null') ? null : typesOf(property).includes('array') ? [] : '';
