import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { API_HEADERS } from '../../adapters/http/request-headers.ts';

/** One answer as it was seen. */
export interface SeenAnswer {
  readonly method: string;
  /** Path with or without its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface Media {
  readonly schema?: object;
}
interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
}
interface Documented {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, Documented | Reference>>;
}
interface Reference {
  readonly $ref: string;
}
interface PathItem {
  readonly servers?: readonly { readonly url: string }[];
  readonly [method: string]: unknown;
}
export interface OpenApiDocument {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Documented>>;
  };
}

/** A response of an operation, whether it stands there or is referred to. @throws for a name that is none */
export const responseOf = <Response extends object>(
  document: { readonly components: { readonly responses: Readonly<Record<string, Response>> } },
  response: Response | Reference,
): Response => {
  if (!('$ref' in response)) return response;
  const found = document.components.responses[response.$ref.replace('#/components/responses/', '')];
  if (found === undefined) throw new Error(`${response.$ref} is no response of the document`);
  return found;
};

/** The document and the pages that show it are no operations of it. */
const DOCUMENTATION = /^\/(?:openapi\.json|docs(?:\/.*)?)$/;
/** Answers that a path or a method outside the document may have. */
const UNDOCUMENTED = new Set([204, 302, 400, 404, 405]);

/**
 * A check of answers against an OpenAPI 3.1 document. It throws for a status, a media type or a body that the document
 * does not have, for a field that the schema does not name, for a header that is not documented, and for one that is
 * documented as required and missing.
 */
export const createOpenApiCheck = (document: OpenApiDocument): ((answer: SeenAnswer) => void) => {
  const ajv = ajvOf(document);
  const validators = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const known = validators.get(schema) ?? ajv.compile(sealed(schema) as object);
    validators.set(schema, known);
    return known;
  };

  return (answer) => {
    const told = `${answer.method} ${answer.path} answered ${answer.status}`;
    const operation = operationOf(document, answer);
    if (operation === undefined) {
      if (DOCUMENTATION.test(answer.path)) return;
      if (!UNDOCUMENTED.has(answer.status)) throw new Error(`${told}: the operation is not documented`);
      return;
    }
    const response = operation.responses[answer.status];
    if (response === undefined) throw new Error(`${told}: the status is not documented`);
    const documented = responseOf(document, response);
    checkHeaders(told, answer, documented, document.components.headers);
    const media = checkMediaType(told, answer, documented);
    if (media?.schema === undefined || answer.method === 'HEAD') return;
    const validate = validatorOf(media.schema);
    if (validate(JSON.parse(answer.body))) return;
    throw new Error(`${told}: ${ajv.errorsText(validate.errors)}\n${answer.body.slice(0, 2000)}`);
  };
};

/** Every path template of the document with its methods, as whole paths. */
export const operationsOf = (
  document: OpenApiDocument,
): readonly { readonly method: string; readonly path: string }[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'delete', 'patch']
      .filter((method) => item[method] !== undefined)
      .map((method) => ({ method: method.toUpperCase(), path: wholePath(document, path, item) })),
  );

const wholePath = (document: OpenApiDocument, path: string, item: PathItem): string =>
  ((item.servers ?? document.servers)[0]?.url ?? '').replace(/\/$/, '') + path;

const operationOf = (document: OpenApiDocument, { method, path }: SeenAnswer): Operation | undefined => {
  const asked = (path.split('?', 1)[0] ?? '').split('/');
  const matches = Object.entries(document.paths).filter(([template, item]) => {
    const parts = wholePath(document, template, item).split('/');
    // All segments that are left are the name of a tile.
    const last = parts.at(-1) === '{tile}' ? parts.length - 1 : asked.length;
    const segments = [
      ...asked.slice(0, last),
      ...[asked.slice(last).join('/')].filter((rest) => rest !== ''),
    ];
    return (
      parts.length === segments.length &&
      parts.every((part, i) => part === segments[i] || /^\{\w+\}$/.test(part))
    );
  });
  // Of several templates the one with the fewest parameters is meant (OpenAPI 3.1, section 4.8.8.2).
  const best = matches.toSorted(([a], [b]) => a.split('{').length - b.split('{').length)[0];
  return best?.[1][(method === 'HEAD' ? 'GET' : method).toLowerCase()] as Operation | undefined;
};

/** Told once for all answers: of the connection, of CORS, and those that keep browsers off. */
const GENERAL: ReadonlySet<string> = new Set([
  ...API_HEADERS.map(([name]) => name),
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'content-type',
  'content-length',
  'vary',
  'x-accel-buffering',
]);

const checkHeaders = (
  told: string,
  { status, headers }: SeenAnswer,
  documented: Documented,
  named: OpenApiDocument['components']['headers'],
): void => {
  const known = documented.headers ?? {};
  for (const [name, header] of Object.entries(known)) {
    const { required } =
      header.$ref === undefined ? header : (named[header.$ref.split('/').at(-1) ?? ''] ?? {});
    if (required === true && !headers.has(name)) throw new Error(`${told}: the header ${name} is missing`);
  }
  // What is refused before a request is one has no headers of ours.
  if (status === 408 || status === 417 || status === 431) return;
  for (const name of headers.keys()) {
    if (GENERAL.has(name) || name.startsWith('access-control-') || known[name] !== undefined) continue;
    throw new Error(`${told}: the header ${name} is not documented`);
  }
};

/** A check of any value against a schema that the document names. */
export const createSchemaCheck = (document: OpenApiDocument): ((name: string, value: unknown) => void) => {
  const ajv = ajvOf(document);
  const validators = new Map<string, ValidateFunction>();
  return (name, value) => {
    const validate = validators.get(name) ?? ajv.compile({ $ref: `${NAMED}#/components/schemas/${name}` });
    validators.set(name, validate);
    if (!validate(value))
      throw new Error(`no ${name}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`);
  };
};

/** The documented media, where its body is JSON. */
const checkMediaType = (told: string, answer: SeenAnswer, { content }: Documented): Media | undefined => {
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? '';
  if (content === undefined) {
    if (answer.body !== '') throw new Error(`${told}: a body is not documented`);
    return undefined;
  }
  const media = content[type] ?? content['*/*'];
  if (media === undefined) throw new Error(`${told}: the media type ${type} is not documented`);
  return type === 'application/json' && content[type] !== undefined ? media : undefined;
};

/** Where the named schemas are, for those that are compiled one by one. */
const NAMED = 'document';

const ajvOf = ({ components }: OpenApiDocument): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  formats.default(ajv);
  return ajv.addSchema({ components: sealed(components) }, NAMED);
};

/** A copy in which objects have no other fields than those they name, and references lead to the named schemas. */
const sealed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(sealed);
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(/^#/, `${NAMED}#`) : sealed(value),
    ]),
  );
  const object = copy['type'] === 'object' && copy['properties'] !== undefined;
  return object && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
};
