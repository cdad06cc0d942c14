/** Codes of the errors that the domain and application layers throw. adapters/http maps them to HTTP status codes. */
export type DomainErrorCode =
  | 'invalid_request'
  | 'invalid_rrule'
  | 'invalid_cursor'
  | 'pattern_invalid'
  | 'filter_invalid'
  | 'schema_invalid'
  | 'authz_policy_not_found'
  | 'url_not_allowed'
  | 'not_configured'
  | 'not_found'
  | 'secret_not_found'
  | 'conflict'
  | 'source_deleting'
  | 'thread_busy'
  | 'idempotency_conflict'
  | 'name_taken'
  | 'secret_in_use'
  | 'scope_not_grantable'
  | 'key_restricted'
  | 'last_issuer_key'
  | 'raw_not_kept'
  | 'unsupported_media_type'
  | 'unsupported_file_type'
  | 'unavailable';

/** A refused operation. The message is for the caller: it says what was refused and what to do instead. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  constructor(code: DomainErrorCode, message: string) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
  }
}
