import type { OpenApiDocument } from './openapi-check.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly example?: string;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

/** A request of an operation, made of nothing but the examples of the document. */
export interface ExampleRequest {
  readonly operation: string;
  readonly method: string;
  /** With the base path. */
  readonly path: string;
  /** Content type and body; one for each type that the operation takes. */
  readonly bodies: readonly { readonly type: string; readonly body: string | FormData }[];
}

/** Throws where a part that an operation requires has no example. */
export const exampleRequests = (document: OpenApiDocument): readonly ExampleRequest[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => requestOf(document, path, method, operation as Operation, item.servers)),
  );

const requestOf = (
  document: OpenApiDocument,
  path: string,
  method: string,
  { operationId, parameters = [], requestBody }: Operation,
  [server] = document.servers as readonly { readonly url: string }[],
): ExampleRequest => {
  const exampleOf = ({ name, example }: Parameter): string => {
    if (example === undefined) throw new Error(`${operationId} has no example of ${name}`);
    return encodeURIComponent(example);
  };
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, exampleOf(one)), path);
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${exampleOf(one)}`);
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => {
    if (example === undefined) throw new Error(`${operationId} has no example of ${type}`);
    return bodyOf(type, example);
  });
  const base = server?.url === '/' ? '' : (server?.url ?? '');
  const whole = `${base}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  return { operation: operationId, method: method.toUpperCase(), path: whole, bodies };
};

const FILES = new Set(['file', 'files']);

const bodyOf = (
  type: string,
  example: unknown,
): { readonly type: string; readonly body: string | FormData } => {
  if (type === 'application/json') return { type, body: JSON.stringify(example) };
  if (type !== 'multipart/form-data') return { type: 'text/markdown', body: String(example) };
  const form = new FormData();
  for (const [name, value] of Object.entries(example as object))
    for (const one of [value].flat())
      form.append(
        name,
        FILES.has(name) ? new File([String(one)], 'example.md', { type: 'text/markdown' }) : String(one),
      );
  return { type, body: form };
};
