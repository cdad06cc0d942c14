export { type Client, type ClientOptions, createClient } from './client.ts';
export { errorOf, KnowledgerError } from './errors.ts';
export type { ServerEvent } from './server-events.ts';
export type * from './types.ts';
export { type Verified, verifyProof } from './proofs.ts';
export { verifyWebhook, type WebhookHeaders, type WebhookPayload, WebhookRefused } from './webhooks.ts';
