import { createTypeWriter, docOf, isName, pascal, type Schema, snake, type TypeWriter } from './types-of.ts';

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly operationId: string;
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
const HEADER = '# Made by `npm run client:types` from the OpenAPI document.\n';
/** Written by hand, as their bodies are forms or bytes. */
const BY_HAND: ReadonlySet<string> = new Set(['createLocalFileGroup', 'addLocalFiles', 'putSource']);

/** The Python modules that are made from a document: types, and a method for each operation that answers with JSON. */
export const pythonOf = ({ paths, components }: Document): { types: string; operations: string } => {
  const writer = createTypeWriter();
  for (const [name, schema] of Object.entries(components.schemas)) writer.define(name, schema);
  const keyed = Object.entries(paths).flatMap(([path, { post }]) =>
    post?.parameters?.some(({ name }) => name === 'idempotency-key') ? [`        "${path}",\n`] : [],
  );
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined || BY_HAND.has(operation.operationId)) return [];
      const answer = nameOf(jsonOf(okOf(operation)));
      return answer === undefined
        ? []
        : [methodOf(method, path, operation, answer, components.schemas, writer)];
    }),
  );
  return {
    types:
      `${HEADER}from __future__ import annotations\n\nfrom typing import Any, Literal, TypedDict, Union\n\n` +
      `from typing_extensions import NotRequired\n\n\n${writer.definitions()}\n` +
      `#: Paths whose POST takes an \`Idempotency-Key\`.\nKEYED = frozenset(\n    {\n${keyed.join('')}    }\n)\n`,
    operations:
      `${HEADER}from __future__ import annotations\n\nfrom collections.abc import AsyncIterator\nfrom typing import Literal\n\n` +
      `from typing_extensions import Unpack\n\nfrom .. import types\nfrom .transport import AsyncTransport\n\n\n` +
      `class AsyncOperations(AsyncTransport):\n    """A method for each operation of the API that answers with JSON."""\n\n` +
      methods.join('\n'),
  };
};

const okOf = ({ responses }: Operation): Media | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
const jsonOf = (media: Media | undefined): Schema | undefined => media?.content?.['application/json']?.schema;
const nameOf = (schema: Schema | undefined): string | undefined => schema?.$ref?.split('/').at(-1);

/** The field of a page that holds its records; undefined where the answer is no page. */
const listIn = ({ properties = {} }: Schema): string | undefined =>
  properties['pagination'] === undefined
    ? undefined
    : Object.entries(properties).find(
        ([name, { type }]) => type === 'array' && name !== 'robots_blocked',
      )?.[0];

const methodOf = (
  method: string,
  path: string,
  operation: Operation,
  answer: string,
  schemas: Document['components']['schemas'],
  writer: TypeWriter,
): string => {
  const name = snake(operation.operationId);
  const page = schemas[answer]!;
  const list = method === 'get' ? listIn(page) : undefined;
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  // The cursor of the next page is the affair of the iterator.
  const inQuery = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && !(list !== undefined && parameter.name === 'next_id'),
  );
  const keyword = ({ name: key }: Parameter): string =>
    list !== undefined && key === 'limit' ? 'page_size' : isName(key) ? key : `${key}_`;
  const body = nameOf(jsonOf(operation.requestBody));
  const hasBody = body !== undefined && Object.keys(schemas[body]!.properties ?? {}).length > 0;
  const parameters = [
    'self',
    ...inPath.map(({ name: key }) => `${key}: str`),
    ...(inPath.length > 0 ? ['/'] : []),
    ...(inQuery.length > 0 ? ['*'] : []),
    ...inQuery.map((parameter) => {
      const type = qualified(writer.typeOf(parameter.schema, pascal(`${name}_${parameter.name}`)));
      return `${keyword(parameter)}: ${type}${parameter.required === true ? '' : ' | None = None'}`;
    }),
    ...(hasBody ? [`**body: Unpack[types.${body}]`] : []),
  ];
  const query = inQuery.map((parameter) => `"${parameter.name}": ${keyword(parameter)}`);
  const given = [
    ...(inPath.length > 0 ? [`{${inPath.map(({ name: key }) => `"${key}": ${key}`).join(', ')}}`] : []),
    ...(query.length > 0 ? [`query={${query.join(', ')}}`] : []),
    ...(hasBody ? ['body=body'] : body === undefined ? [] : ['body={}']),
  ];
  const doc = docOf(
    list === undefined ? operation.summary : `${operation.summary}: all of them, page by page.`,
    '        ',
  );
  if (list !== undefined) {
    const item = nameOf(page.properties![list]!.items) ?? answer + pascal(list);
    return (
      `    ${wrapped(`def ${name}(`, parameters, `) -> AsyncIterator[types.${item}]:`)}\n${doc}` +
      `        ${wrapped('return self._all(', [`"${path}"`, `"${list}"`, ...given], ')', '        ')}\n`
    );
  }
  const asked = [`types.${answer}`, `"${method.toUpperCase()}"`, `"${path}"`, ...given];
  return (
    `    ${wrapped(`async def ${name}(`, parameters, `) -> types.${answer}:`)}\n${doc}` +
    `        ${wrapped('return await self._ask(', asked, ')', '        ')}\n`
  );
};

/** Parts in one line, or in one for each where that would be long. */
const wrapped = (before: string, parts: readonly string[], after: string, indent = '    '): string => {
  const line = `${before}${parts.join(', ')}${after}`;
  if (line.length + indent.length <= 110) return line;
  return `${before}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${after}`;
};

const BUILT_IN = new Set(['str', 'int', 'bool', 'float', 'list', 'dict', 'None', 'Any', 'Literal']);
/** The names of a type that are from the module `types`. */
const qualified = (type: string): string =>
  type
    .split(/("[^"]*")/)
    .map((part) =>
      part.startsWith('"')
        ? part
        : part.replaceAll(/\b[A-Za-z]\w*/g, (name) => (BUILT_IN.has(name) ? name : `types.${name}`)),
    )
    .join('');

/** What is said of asynchronous code, and how the same is said without. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/\bfrom anyio import sleep\n/g, ''],
  [/\bawait sleep\(/g, 'self._session.closed.wait('],
  [/\bfrom anyio\.to_thread import run_sync\n/g, ''],
  [/\bawait run_sync\((\w+), /g, '$1('],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\b(?:Awaitable, |, Awaitable\b)/g, ''],
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\b__a(enter|exit|iter|next)__/g, '__$1__'],
  [/\ba(close|read|iter_text)\b/g, '$1'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\bAsync(?=[A-Z])/g, ''],
];

/** The same module for callers that wait in their own thread. */
export const syncOf = (text: string, name: string): string =>
  `# Made by \`npm run client:types\` from _async/${name}.\n` +
  SAID.reduce((said, [from, to]) => said.replaceAll(from, to), text.replace(HEADER, ''));
