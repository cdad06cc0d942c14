/** The parts of JSON Schema that the OpenAPI document of Knowledger uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

/** Python code of the types of schemas. Objects become classes of their own, which are gathered on the way. */
export interface TypeWriter {
  /** The type of a schema. An object without a name gets this one, in the order of the first use. */
  readonly typeOf: (schema: Schema, name: string) => string;
  /** Defines a named schema. */
  readonly define: (name: string, schema: Schema) => void;
  /** All definitions, each once. */
  readonly definitions: () => string;
}

/** As many values stand where they are used; more get a name. */
const FEW = 12;

export const createTypeWriter = (): TypeWriter => {
  const classes = new Map<string, string>();
  const aliases = new Map<string, string>();
  const enums = new Map<string, string>();

  const add = (definitions: Map<string, string>, name: string, text: string): string => {
    if (classes.has(name) || aliases.has(name)) throw new Error(`two types are called ${name}`);
    definitions.set(name, text);
    return name;
  };

  const literal = (values: readonly unknown[], name: string): string => {
    const type = literalOf(values);
    const known = enums.get(type);
    if (known !== undefined || values.length <= FEW) return known ?? type;
    enums.set(type, name);
    return add(aliases, name, `${name} = ${oneALine(type)}\n`);
  };

  const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

  const typeOf = (schema: Schema, name: string): string => {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
    if ('const' in schema) return literal([schema.const], name);
    if (schema.enum !== undefined) return literal(schema.enum, name);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      const objects = choices.filter(({ properties }) => properties !== undefined);
      return union(
        choices.map((choice, i) =>
          typeOf(choice, objects.length > 1 ? `${name}${kindOf(choice) ?? i + 1}` : name),
        ),
      );
    }
    if (Array.isArray(schema.type))
      return union((schema.type as readonly string[]).map((type) => typeOf({ ...schema, type }, name)));
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'array':
        return `list[${typeOf(schema.items ?? {}, name)}]`;
      case 'object': {
        if (schema.properties !== undefined && Object.keys(schema.properties).length > 0)
          return classOf(schema, name);
        const { additionalProperties: others } = schema;
        return `dict[str, ${typeof others === 'object' ? typeOf(others, name) : 'Any'}]`;
      }
      case undefined:
      default:
        return 'Any';
    }
  };

  const classOf = ({ properties = {}, required = [], description }: Schema, name: string): string => {
    // Its place is before those of its fields.
    add(classes, name, '');
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, name + pascal(field));
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, schema };
    });
    const text = fields.every(({ field }) => isName(field))
      ? `class ${name}(TypedDict):\n${docOf(description, '    ')}` +
        fields
          .map(({ field, type, schema }) => `    ${field}: ${type}\n${docOf(schema.description, '    ')}`)
          .join('')
      : `${name} = TypedDict(\n    "${name}",\n    {${fields.map(({ field, type }) => `"${field}": "${type}"`).join(', ')}},\n)\n`;
    classes.set(name, text);
    return name;
  };

  return {
    typeOf,
    define: (name, schema) => {
      if (Object.keys(schema.properties ?? {}).length > 0) return void classOf(schema, name);
      if (schema.enum !== undefined) {
        const type = literalOf(schema.enum);
        enums.set(type, name);
        return void add(aliases, name, `${name} = ${oneALine(type)}\n`);
      }
      const parts = typeOf(schema, name).split(' | ');
      const type = parts.length === 1 ? parts[0]! : `Union[${parts.map((part) => `"${part}"`).join(', ')}]`;
      return void add(aliases, name, `${name} = ${oneALine(type)}\n`);
    },
    definitions: () => `${[...classes.values()].join('\n\n')}\n\n${[...aliases.values()].join('\n')}`,
  };
};

const literalOf = (values: readonly unknown[]): string => `Literal[${values.map(valueOf).join(', ')}]`;
const oneALine = (type: string): string =>
  type.length <= 100
    ? type
    : type
        .replaceAll(/(?<=\[|, )(?=")/g, '\n    ')
        .replaceAll(', \n', ',\n')
        .replace(/\]$/, ',\n]');

/** The value by which one choice of several is told apart. */
const kindOf = ({ properties = {} }: Schema): string | undefined => {
  const told = Object.values(properties).find((schema) => typeof schema.const === 'string');
  return told === undefined ? undefined : pascal(told.const as string);
};

const valueOf = (value: unknown): string =>
  value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9]?)/g, (_, first: string) => first.toUpperCase());
export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
export const isName = (name: string): boolean => /^[a-z_]\w*$/i.test(name) && !KEYWORDS.has(name);

/** @param indent of the lines; the text is wrapped at 110 columns */
export const docOf = (text: string | undefined, indent: string): string => {
  if (text === undefined) return '';
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll(/\s+/g, ' ').trim();
  const lines: string[] = [''];
  for (const word of safe.split(' ')) {
    const line = lines.at(-1)!;
    if (line.length + word.length + indent.length > 106 && line !== '') lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  if (lines.length === 1) return `${indent}"""${safe.endsWith('"') ? `${safe} ` : safe}"""\n`;
  return `${indent}"""\n${lines.map((line) => `${indent}${line}\n`).join('')}${indent}"""\n`;
};
