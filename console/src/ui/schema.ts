/** A property of a request body, as the OpenAPI document has it. */
export interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  /** Of an array. */
  readonly items?: Pick<Property, 'enum' | 'pattern' | 'maxLength'>;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly 'x-max-total-length'?: number;
}
export interface BodySchema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
}
