/** Names of streams: `category-id`. The category holds no dash, so that projections by category work. */
export const dataSourceStream = (id: string): string => `dataSource-${id}`;
export const ingestionSettingStream = (id: string): string => `ingestionSetting-${id}`;
export const sourceStream = (id: string): string => `source-${id}`;
/** All keys of a tenant share a stream. */
export const apiKeyStream = (tenant: string): string => `apiKey-${tenant}`;
export const idempotencyStream = (id: string): string => `idempotency-${id}`;
