import type { KeptSecret } from '../../../domain/secret/decider.ts';
import type { KeptValue } from './kept-value.ts';

/** A secret as it is read for one request. */
export interface OpenSecret {
  readonly tenant: string;
  readonly secretId: string;
  readonly state: KeptSecret;
  readonly kept: KeptValue;
}
