import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { Judge } from '../../http-client/refusal.ts';
import { askedToWait } from '../../http-client/retry-policy.ts';
import { objectOf, textOf } from './drive-file.ts';

/** Limits that come as 403 (the documentation of the Drive API, "Resolve errors", and of its limits). */
const LIMITS: ReadonlySet<string> = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
]);
/** Of a day, or of what may be downloaded in one. */
const LONG_LIMITS: ReadonlySet<string> = new Set(['dailyLimitExceeded', 'quotaExceeded']);
const LONG_WAIT_MS = 15 * 60_000;
const NOT_ENABLED: ReadonlySet<string> = new Set(['accessNotConfigured', 'SERVICE_DISABLED']);
const NO_SCOPE: ReadonlySet<string> = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']);

/** Why the API refuses, in its stable words, of which `errors[0].reason` is the one that tells one 403 from another. */
export const reasonsIn = (json: unknown): readonly string[] => {
  const { errors, details } = objectOf(objectOf(json)['error']);
  return [errors, details].flatMap((list) =>
    (Array.isArray(list) ? list : []).flatMap((one) => textOf(objectOf(one)['reason']) ?? []),
  );
};

export const judgeDrive: Judge = ({ status, header, json }, now) => {
  if (status !== 403) return undefined;
  const reasons = reasonsIn(json);
  const has = (words: ReadonlySet<string>): boolean => reasons.some((reason) => words.has(reason));
  const asked = askedToWait(header, now);
  if (has(LONG_LIMITS)) return { kind: 'wait', ms: Math.max(asked, LONG_WAIT_MS) };
  if (has(LIMITS)) return { kind: 'wait', ms: asked === 0 ? null : asked };
  if (has(NOT_ENABLED))
    return rejected(
      'api_not_enabled',
      'the Drive API is not enabled in the Google Cloud project that the secret belongs to: enable it',
    );
  if (has(NO_SCOPE))
    return rejected(
      'scope_missing',
      'the secret may not read files: it needs the scope https://www.googleapis.com/auth/drive.readonly',
    );
  return { kind: 'no' };
};

const rejected = (code: string, message: string) =>
  ({
    kind: 'refused',
    error: new SourceRefused(code, 'Credentials rejected', message),
  }) as const;
