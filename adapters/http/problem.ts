import type { DomainErrorCode } from '../../domain/shared/domain-error.ts';

/** The values of `error.type`, with their HTTP status. */
const REFUSED_HERE = {
  invalid_json: 400,
  invalid_limit: 400,
  invalid_id: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  expired_api_key: 401,
  invalid_token: 401,
  expired_token: 401,
  insufficient_scope: 403,
  origin_not_allowed: 403,
  method_not_allowed: 405,
  not_acceptable: 406,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal_error: 500,
  history_damaged: 500,
  event_log_changed: 503,
  provider_error: 502,
  provider_timeout: 504,
} as const;

const REFUSED_INSIDE: { readonly [Code in DomainErrorCode]: number } = {
  invalid_request: 400,
  invalid_rrule: 400,
  invalid_cursor: 400,
  pattern_invalid: 422,
  filter_invalid: 422,
  schema_invalid: 422,
  authz_policy_not_found: 422,
  url_not_allowed: 422,
  not_configured: 422,
  unsupported_file_type: 422,
  not_found: 404,
  secret_not_found: 404,
  conflict: 409,
  source_deleting: 409,
  thread_busy: 409,
  idempotency_conflict: 409,
  name_taken: 409,
  secret_in_use: 409,
  scope_not_grantable: 403,
  key_restricted: 403,
  last_issuer_key: 409,
  raw_not_kept: 410,
  unsupported_media_type: 415,
  unavailable: 503,
};

export const STATUS_OF = { ...REFUSED_INSIDE, ...REFUSED_HERE };
export type ProblemType = keyof typeof STATUS_OF;

/** A request that this adapter refuses. The message is for the caller. */
export class HttpProblem extends Error {
  readonly type: ProblemType;
  readonly status: number;
  /** Headers of the refusal: `Allow`, `Retry-After`, `Content-Range`. */
  readonly headers: Readonly<Record<string, string>>;
  /** @param status default: that of the type */
  constructor(
    type: ProblemType,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    status: number = STATUS_OF[type],
  ) {
    super(message);
    this.name = 'HttpProblem';
    this.type = type;
    this.status = status;
    this.headers = headers;
  }
}
