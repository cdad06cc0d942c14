/** What is known of a principal, for the values of one policy. */
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = { readonly [key: string]: AttributeValue };

export const POLICY_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
/** The policy of requests that name none. */
export const DEFAULT_POLICY = 'default';
/** Characters of a principal id. */
export const MAX_PRINCIPAL = 256;

/** The attribute of this name; what objects inherit is none. */
export const attributeOf = (attributes: Attributes, key: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, key) ? attributes[key] : undefined;
