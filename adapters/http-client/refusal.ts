import { SourceRefused } from '../../application/sources/ingestion/listed/listed-source.ts';
import { isTransientStatus } from './transient.ts';
import { askedToWait } from './retry-policy.ts';

/** An answer that is none: its status, headers, and the first of its body. */
export interface Refusal {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
  /** Of the body; undefined where it is no JSON. */
  readonly json: unknown;
}

/** What a refusal means. */
export type Verdict =
  /** To be asked again after so many milliseconds; null: it does not say when. */
  | { readonly kind: 'wait'; readonly ms: number | null }
  /** Another try may be answered. */
  | { readonly kind: 'fault' }
  /** Whatever is asked is refused. */
  | { readonly kind: 'refused'; readonly error: SourceRefused }
  /** No to this request, which says nothing of others. */
  | { readonly kind: 'no' };

/** Undefined: it means what its status usually means. @param now Unix milliseconds */
export type Judge = (refusal: Refusal, now: number) => Verdict | undefined;

/** No to one request, such as 404. The caller knows what that means; its message holds no word of the provider. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;
  readonly json: unknown;
  constructor(provider: string, { status, json }: Refusal) {
    super(`${provider} answers ${status}`);
    [this.status, this.json] = [status, json];
  }
}

/** By status alone. Only 401 speaks of credentials for sure: 403 may mean one thing that they may not see, or a limit. */
export const usualVerdict = (name: string, { status, header }: Refusal, now: number): Verdict => {
  const asked = askedToWait(header, now);
  if (status === 429) return { kind: 'wait', ms: asked === 0 ? null : asked };
  if (isTransientStatus(status)) return asked === 0 ? { kind: 'fault' } : { kind: 'wait', ms: asked };
  return status === 401 ? { kind: 'refused', error: credentialsRejected(name, status) } : { kind: 'no' };
};

export const credentialsRejected = (name: string, status: number): SourceRefused =>
  new SourceRefused(
    'credentials_rejected',
    'Credentials rejected',
    `${name} does not accept the credentials (${status}): renew the secret of this data source, then sync`,
  );
