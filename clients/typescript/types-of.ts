/** The parts of JSON Schema that the OpenAPI document of Knowledger uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly description?: string;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Media>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

const HEADER = `// Made by \`npm run client:types\` from the OpenAPI document.
`;

/** The TypeScript types of a document: one for each schema, and `Operations`, by method and path. */
export const typesOf = ({ paths, components }: Document): string => {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation === undefined ? [] : [operationOf(`${method.toUpperCase()} ${path}`, operation)];
    }),
  );
  const keyed = Object.entries(paths).flatMap(([path, { post }]) =>
    post?.parameters?.some(({ name }) => name === 'idempotency-key') ? [`  'POST ${path}',\n`] : [],
  );
  return (
    `${HEADER}\n${schemas.join('\n')}\nexport interface Operations {\n${operations.join('')}}\n` +
    `\n/** Operations that take an \`Idempotency-Key\`. */\n` +
    `export const KEYED: ReadonlySet<string> = new Set([\n${keyed.join('')}]);\n`
  );
};

const operationOf = (name: string, operation: Operation): string => {
  const parametersIn = (place: string): string => {
    const all = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
    return objectOf(
      Object.fromEntries(
        all.map(({ name: key, schema, description }) => [
          key,
          description === undefined ? schema : { description, ...schema },
        ]),
      ),
      all.filter(({ required }) => required).map(({ name: key }) => key),
      '    ',
    );
  };
  const body = jsonOf(operation.requestBody);
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  return (
    comment(operation.summary, '  ') +
    `  '${name}': {\n` +
    `    path: ${parametersIn('path')};\n` +
    `    query: ${parametersIn('query')};\n` +
    `    body: ${body === undefined ? 'undefined' : typeOf(body, '    ')};\n` +
    `    answer: ${typeOf(jsonOf(answer?.[1]) ?? {}, '    ')};\n` +
    '  };\n'
  );
};

const jsonOf = (media: Media | undefined): Schema | undefined => media?.content?.['application/json']?.schema;

const typeOf = (schema: Schema, indent: string): string => {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, indent)).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((part) => `(${typeOf(part, indent)})`).join(' & ');
  if (Array.isArray(schema.type))
    return (schema.type as readonly string[]).map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
    case 'object': {
      const { properties = {}, required = [], additionalProperties: others } = schema;
      if (Object.keys(properties).length > 0) return objectOf(properties, required, indent);
      if (others === false) return 'Record<string, never>';
      return `{ readonly [key: string]: ${typeof others === 'object' ? typeOf(others, indent) : 'unknown'} }`;
    }
    case undefined:
    default:
      return 'unknown';
  }
};

const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  indent: string,
): string => {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema.description, inner)}${inner}readonly ${key}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
};

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;
