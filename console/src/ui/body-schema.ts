import { useQuery } from '@tanstack/react-query';
import type { BodySchema } from './schema.ts';

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
