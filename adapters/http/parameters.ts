import type { Page, PageRequest } from '../../application/ports/page.ts';
import { MAX_PRINCIPAL } from '../../domain/authz/decider.ts';
import { HttpProblem } from './problem.ts';
import { EXAMPLE_ID, policyName } from './schemas/common.ts';
import Type from 'typebox';
import type { TSchema } from 'typebox';

/** A parsed query: a repeated name has an array. */
type RawQuery = Readonly<Record<string, unknown>>;

/**
 * Converts the texts of a query to the types of its schema. What cannot be converted stays a text, for the validator to
 * refuse. Arrays are comma-separated or repeated.
 */
export const createQueryReader = (schema: TSchema): ((raw: RawQuery) => Record<string, unknown>) => {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  const types = new Map(Object.entries(properties).map(([name, { type }]) => [name, type]));
  return (raw) => {
    // Without a prototype, `__proto__` is a name like any other, and is refused like any other.
    const query = Object.create(null) as Record<string, unknown>;
    for (const name of Object.keys(raw)) query[name] = typed(types.get(name), raw[name]);
    return query;
  };
};

/** Beyond 2^53 a number would lose digits. */
const isInteger = (text: string): boolean => /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));

const typed = (type: string | undefined, value: unknown): unknown => {
  if (type === 'array') return [value].flat().flatMap((text) => String(text).split(','));
  if (typeof value !== 'string') return value;
  if (type === 'integer') return isInteger(value) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
};

const ExampleId = Type.String({ format: 'uuid', examples: [EXAMPLE_ID] });

/** Schemas of the `{…}` parameters of paths. */
const PARAMETERS: Readonly<Record<string, TSchema>> = {
  id: ExampleId,
  job_id: ExampleId,
  thread_id: ExampleId,
  run_id: ExampleId,
  delivery_id: ExampleId,
  locator: Type.String({
    minLength: 1,
    maxLength: 2_000,
    examples: ['tickets/7'],
    description:
      'Percent-encoded as one segment: `a/b` is `a%2Fb`. It is a name and no path: `../` leads nowhere',
  }),
  tile: Type.String({
    maxLength: 100,
    examples: ['entries/000.p/1'],
    description: 'Several segments, as they stand',
  }),
  model: Type.String({ minLength: 1, maxLength: 200 }),
  name: policyName({ examples: ['readers'] }),
  principal_id: Type.String({ minLength: 1, maxLength: MAX_PRINCIPAL, examples: ['jo@example.com'] }),
};

/** The parameters of an OpenAPI path, with their schemas. */
export const pathParametersOf = (path: string): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const schema = PARAMETERS[name];
      if (schema === undefined) throw new Error(`${path} has an undescribed parameter:  ${name}`);
      return [name, schema];
    }),
  );

/** The query of a list: `next_id`, the name of the cursor in responses, is an alias of `after`. */
interface ListQuery {
  readonly limit?: number;
  readonly after?: string;
  readonly next_id?: string;
}

/** @throws HttpProblem invalid_cursor when both names are given and differ */
export const cursorOf = <Cursor>(
  after: Cursor | undefined,
  alias: Cursor | undefined,
): Cursor | undefined => {
  if (after !== undefined && alias !== undefined && after !== alias) {
    throw new HttpProblem(
      'invalid_cursor',
      'next_id is another name of the same cursor: send one of the two',
    );
  }
  return after ?? alias;
};

/** The requested page, by UUID. */
export const pageRequestOf = ({ limit = 20, after, next_id: nextId }: ListQuery): PageRequest => {
  const cursor = cursorOf(after?.toLowerCase(), nextId?.toLowerCase());
  return cursor === undefined ? { limit } : { limit, after: cursor };
};

/** The pagination object: `next_id` is the cursor of the last row, absent on the last page. */
export const paginationOf = <Row>(
  { rows, hasMore, total, next }: Page<Row>,
  limit: number,
  cursor: (row: Row) => string,
): { limit: number; has_more: boolean; total: number; next_id?: string } => {
  const last = rows.at(-1);
  const nextId = next ?? (last && cursor(last));
  return { limit, has_more: hasMore, total, ...(hasMore && nextId !== undefined && { next_id: nextId }) };
};

/** Why a text is not the URL of a page that may be fetched; undefined when it is valid. */
export const httpUrlProblem = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text)) return 'must be an absolute http or https URL';
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return 'is not a URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  return undefined;
};
