import type { SecretType } from './secret-type.ts';

export interface CreateSecret {
  readonly type: 'create';
  readonly name: string;
  readonly secretType: SecretType;
  readonly valueId: string;
  readonly expiresAt: number | null;
  readonly at: number;
}
/** What is absent stays as it is. */
export interface ChangeSecret {
  readonly type: 'change';
  readonly name?: string;
  readonly expiresAt?: number | null;
  /** Of another value. */
  readonly valueId?: string;
  readonly at: number;
}
/** A provider gave `valueId` in exchange for what `from` names. */
export interface RenewSecret {
  readonly type: 'renew';
  readonly from: string;
  readonly valueId: string;
  readonly at: number;
}
export interface AttachSecret {
  readonly type: 'attach';
  readonly dataSourceId: string;
  /** Those that the data source can use. */
  readonly secretTypes: readonly SecretType[];
  readonly at: number;
}
export interface DetachSecret {
  readonly type: 'detach';
  readonly dataSourceId: string;
  readonly at: number;
}
export interface DeleteSecret {
  readonly type: 'delete';
  readonly at: number;
}
export type SecretCommand =
  | CreateSecret
  | ChangeSecret
  | RenewSecret
  | AttachSecret
  | DetachSecret
  | DeleteSecret;
