/** The tabs of the administration, in their order. */
export const ADMINISTRATION = [
  'keys',
  'tags',
  'secrets',
  'webhooks',
  'policies',
  'principals',
  'redaction',
  'models',
  'log',
] as const;
export type AdministrationTab = (typeof ADMINISTRATION)[number];
