/** What stands before the id in the name of a stream: `category-id`. It holds no dash, so that projections by it work. */
export const CATEGORIES = [
  'dataSource',
  'ingestionSetting',
  'source',
  'apiKey',
  'conversation',
  'tag',
  'redactionPolicy',
  'authzPolicy',
  'authzSubject',
  'idempotency',
] as const;
type StreamName = `${(typeof CATEGORIES)[number]}-${string}`;

export const dataSourceStream = (id: string): StreamName => `dataSource-${id}`;
export const ingestionSettingStream = (id: string): StreamName => `ingestionSetting-${id}`;
export const sourceStream = (id: string): StreamName => `source-${id}`;
/** All keys of a tenant share a stream. */
export const apiKeyStream = (tenant: string): StreamName => `apiKey-${tenant}`;
export const conversationStream = (id: string): StreamName => `conversation-${id}`;
/** All tags of a tenant share a stream, with their bindings. */
export const tagStream = (tenant: string): StreamName => `tag-${tenant}`;
export const redactionPolicyStream = (id: string): StreamName => `redactionPolicy-${id}`;
/** By an id that derives from tenant and name. */
export const authzPolicyStream = (id: string): StreamName => `authzPolicy-${id}`;
/** By an id that derives from tenant and principal. */
export const authzSubjectStream = (id: string): StreamName => `authzSubject-${id}`;
export const idempotencyStream = (id: string): StreamName => `idempotency-${id}`;
