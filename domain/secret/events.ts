import type { SecretType } from './secret-type.ts';

/** Facts about one secret. Its value is in none of them: `valueId` names a text that the vault keeps. */

export interface SecretCreated {
  readonly type: 'SecretCreated';
  readonly name: string;
  readonly secretType: SecretType;
  readonly valueId: string;
  /** Unix milliseconds: from then on it is not used any more. Null: never. */
  readonly expiresAt: number | null;
  readonly at: number;
}
/** Name and expiry as they are from now on. */
export interface SecretChanged {
  readonly type: 'SecretChanged';
  readonly name: string;
  readonly expiresAt: number | null;
  readonly at: number;
}
/** A caller has given another value; the one before is forgotten. */
export interface SecretValueReplaced {
  readonly type: 'SecretValueReplaced';
  readonly valueId: string;
  readonly at: number;
}
/** The provider has given another token for the one that was kept. */
export interface SecretRenewed {
  readonly type: 'SecretRenewed';
  readonly valueId: string;
  readonly at: number;
}
/** A data source names the secret. */
export interface SecretAttached {
  readonly type: 'SecretAttached';
  readonly dataSourceId: string;
  readonly at: number;
}
/** The data source names it no more, or is deleted. */
export interface SecretDetached {
  readonly type: 'SecretDetached';
  readonly dataSourceId: string;
  readonly at: number;
}
/** The key of its value was destroyed before. */
export interface SecretDeleted {
  readonly type: 'SecretDeleted';
  readonly at: number;
}
export type SecretEvent =
  | SecretCreated
  | SecretChanged
  | SecretValueReplaced
  | SecretRenewed
  | SecretAttached
  | SecretDetached
  | SecretDeleted;
