import Type, { type TSchema } from 'typebox';
import { MAX_PRINCIPAL } from '../../domain/authz/decider.ts';
import { PolicyName } from './schemas/common.ts';

/** What can stand for a `{…}` of a path. */
const PARAMETERS: Readonly<Record<string, TSchema>> = {
  id: Type.String({ format: 'uuid' }),
  job_id: Type.String({ format: 'uuid' }),
  thread_id: Type.String({ format: 'uuid' }),
  run_id: Type.String({ format: 'uuid' }),
  locator: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description:
      'Percent-encoded as one segment: `a/b` is `a%2Fb`. It is a name and no path: `../` leads nowhere',
  }),
  name: PolicyName,
  principal_id: Type.String({ minLength: 1, maxLength: MAX_PRINCIPAL }),
};

/** The parameters of a path, as OpenAPI writes it, with their schemas. */
export const pathParametersOf = (path: string): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const schema = PARAMETERS[name];
      if (schema === undefined) throw new Error(`${path} has a parameter that nobody describes: ${name}`);
      return [name, schema];
    }),
  );
