import { useQuery } from '@tanstack/react-query';

/** A property of a request body, as the OpenAPI document has it. */
export interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  /** Of an array. */
  readonly items?: Pick<Property, 'enum' | 'pattern'>;
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

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, BodySchema>> };
}

/** A schema of the OpenAPI document by its name, with the rules of the service as it runs. */
export const useBodySchema = (name: string) =>
  useQuery({
    queryKey: ['static', 'openapi'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => (await (await fetch('/openapi.json', { signal })).json()) as Document,
    select: ({ components }) => components.schemas[name]!,
  });
