import type { Json } from './schema.ts';
import type { AnyRoute } from '../route.ts';

type Headers = { [name: string]: Json };

/** Response headers by name: whether they are always present, and their description. */
const FIELDS = {
  'x-request-id': [
    true,
    "The caller's own x-request-id where it is a safe one, else one that was made: what the log knows",
  ],
  'ratelimit-policy': [
    false,
    'For a key with a rate: the requests (q) in so many seconds (w) that it may send',
  ],
  ratelimit: [
    false,
    'For a key with a rate: the requests (r) that are left, and the seconds (t) until there are more',
  ],
  location: [true, 'Path of the created resource'],
  'x-position': [true, 'Position of the write in the log: send it as x-min-position'],
  'idempotent-replayed': [
    false,
    '`true`: this answer was given before, to a request with the same Idempotency-Key',
  ],
  'retry-after': [true, 'Seconds to wait'],
  'www-authenticate': [true, 'How a key can be sent, and what is wrong with this one'],
  'accept-encoding': [false, 'How a body may be compressed'],
  'content-range': [true, 'How many bytes there are'],
} as const;
type Field = keyof typeof FIELDS;

/** The headers that responses reference by name. */
export const HEADER_COMPONENTS: Headers = Object.fromEntries(
  Object.entries(FIELDS).map(([name, [required, description]]) => [
    name,
    { description, required, schema: { type: 'string' } },
  ]),
);

const refer = (names: readonly Field[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of every response to an authenticated request, or one that should have been. */
export const COMMON_HEADERS: Headers = refer(['x-request-id', 'ratelimit-policy', 'ratelimit']);
/** Headers of responses without authentication. */
export const PUBLIC_HEADERS: Headers = refer(['x-request-id']);

export const headersOfAnswer = (route: AnyRoute, status: string): Headers => ({
  ...COMMON_HEADERS,
  ...((status === '201' || (status === '202' && route.locates)) && refer(['location'])),
  ...(route.writes && refer(['x-position'])),
  ...(route.idempotent && refer(['idempotent-replayed'])),
  ...Object.fromEntries(
    Object.entries(route.streamHeaders ?? {}).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  ),
});

const OF_PROBLEMS: Readonly<Record<number, readonly Field[]>> = {
  401: ['www-authenticate'],
  415: ['accept-encoding'],
  416: ['content-range'],
  429: ['retry-after'],
  503: ['retry-after'],
};
/** RFC 6750 also defines a challenge for a bearer token without the scope. */
const FORBIDDEN: Headers = {
  'www-authenticate': {
    description: 'For a bearer token: the scope that it lacks',
    schema: { type: 'string' },
  },
};
/** A request with the same Idempotency-Key is in progress. */
const CONFLICT: Headers = {
  'retry-after': {
    description:
      'Where the first request with the same Idempotency-Key is still being answered: seconds to wait',
    schema: { type: 'string' },
  },
};

export const headersOfProblem = (status: number): Headers => ({
  ...COMMON_HEADERS,
  ...refer(OF_PROBLEMS[status] ?? []),
  ...(status === 403 && FORBIDDEN),
  ...(status === 409 && CONFLICT),
});
