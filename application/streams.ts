/** Names of streams: `category-id`. The category holds no dash, so that projections by category work. */
export const dataSourceStream = (id: string): string => `dataSource-${id}`;
export const ingestionSettingStream = (id: string): string => `ingestionSetting-${id}`;
export const sourceStream = (id: string): string => `source-${id}`;
/** All keys of a tenant share a stream. */
export const apiKeyStream = (tenant: string): string => `apiKey-${tenant}`;
export const conversationStream = (id: string): string => `conversation-${id}`;
/** All tags of a tenant share a stream, with their bindings. */
export const tagStream = (tenant: string): string => `tag-${tenant}`;
export const redactionPolicyStream = (id: string): string => `redactionPolicy-${id}`;
/** By an id that derives from tenant and name. */
export const authzPolicyStream = (id: string): string => `authzPolicy-${id}`;
/** By an id that derives from tenant and principal. */
export const authzSubjectStream = (id: string): string => `authzSubject-${id}`;
export const idempotencyStream = (id: string): string => `idempotency-${id}`;
