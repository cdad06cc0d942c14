import type { Request } from 'express';
import { HttpProblem, type ProblemType } from './problem.ts';

/** The key of a request, and whether it came as a bearer token (RFC 6750, section 2.1). */
export interface Credential {
  readonly key: string | undefined;
  readonly bearer: boolean;
}

const BEARER = /^bearer[ \t]+(\S+)[ \t]*$/i;

/**
 * The key in `x-api-key`, or in `Authorization: Bearer`. Other schemes of Authorization belong to somebody else, such as
 * a proxy in front, and are not looked at.
 *
 * @throws HttpProblem invalid_request when both are there and differ: nobody can say which of them is meant
 */
export const credentialOf = ({ headers }: Request): Credential => {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'] as string | undefined;
  if (token === undefined || key === token) return { key, bearer: false };
  if (key === undefined || key === '') return { key: token, bearer: true };
  throw new HttpProblem('invalid_request', 'x-api-key and Authorization hold different keys: send one');
};

/** What RFC 6750, section 3.1, calls a refusal; there is no name for a token that is not there. */
const ERRORS: Partial<Record<ProblemType, string>> = {
  invalid_api_key: 'invalid_token',
  expired_api_key: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
};

/**
 * RFC 9110, section 11.6.1: a 401 names the schemes. There is no registered one for keys in a header of their own. Who
 * came with a bearer token is told in the terms of that scheme what is wrong with it.
 */
export const challengeOf = (
  type: ProblemType,
  { bearer }: Credential,
  scope?: string,
): Readonly<Record<string, string>> => {
  const error = bearer ? ERRORS[type] : undefined;
  const wanted = error === 'insufficient_scope' && scope !== undefined ? `, scope="${scope}"` : '';
  const scheme = `Bearer realm="knowledger"${error === undefined ? '' : `, error="${error}"`}${wanted}`;
  return { 'www-authenticate': `${scheme}, ApiKey header="x-api-key"` };
};
