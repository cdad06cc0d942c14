import { DomainError } from '../../../domain/shared/domain-error.ts';
import { snakeCase, snakeKeys } from '../../../domain/shared/key-case.ts';
import type { ContentRecord } from '../../ports/catalog.ts';
import type { FindProblems, SchemaCompiler } from '../../ports/compilers.ts';
import { closed, type JsonSchema, type Properties } from './argument-schema.ts';
import { contentUri } from './content-uri.ts';
import { AS_STORED, type Links } from './links.ts';
import { onBehalfOfArguments, type PrincipalArguments, PRINCIPAL } from './filter-arguments.ts';
import type { UriOf } from './shown-content.ts';
import type { KnowledgeTool, ToolCaller, ToolContext } from './knowledge-tool.ts';

/** Definition of a tool, with names in the program's spelling (camel case). */
export interface Definition<Args> extends Omit<KnowledgeTool, 'parameters' | 'call'> {
  readonly properties: Properties;
  readonly required: readonly string[];
  /** `args` conform to the schema. */
  readonly run: (
    by: ToolCaller,
    args: Args,
    context: ToolContext & { readonly uriOf: UriOf; readonly links: Links },
  ) => Promise<ToolOutcome>;
}
interface ToolOutcome {
  /** In camel case; converted to snake case for the result. */
  readonly data: object;
  readonly text: string;
  readonly contents?: readonly ContentRecord[];
}

/** `asked`: the arguments may name a principal and a policy, as in the operations of the API. */
export type PrincipalChoice = 'given' | 'asked';

/** Builds the tool of a definition: validates the arguments, and converts the names of arguments and results. */
export const define = <Args>(
  definition: Definition<Args>,
  schemas: SchemaCompiler,
  principal: PrincipalChoice,
): KnowledgeTool => {
  const { properties: own, required, run, ...described } = definition;
  const properties = principal === 'asked' ? { ...own, ...PRINCIPAL } : own;
  const parameters = closed(properties, required);
  // Compiled on first use: compiling is slow, and most processes never call the tool.
  let problemsOf: FindProblems | undefined;
  return {
    ...described,
    parameters,
    call: async (by, given, context) => {
      const args = given ?? {};
      mustBeStorable(args);
      problemsOf ??= schemas.compile(parameters);
      const problems = problemsOf(args);
      if (problems.length > 0) throw refused(definition.name, problems, parameters);
      const named = ownNames(properties, args);
      const uriOf = (id: string): string => contentUri(id, askedFor(named));
      const ran = await run(onBehalfOfArguments(by, named), named as Args, {
        links: AS_STORED,
        ...context,
        uriOf,
      });
      return {
        structured: snakeKeys(ran.data) as { readonly [name: string]: unknown },
        text: ran.text,
        contents: ran.contents ?? [],
      };
    },
  };
};

const ownNames = (properties: Properties, args: object): { readonly [name: string]: unknown } => {
  const given = new Map(Object.entries(args));
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) => {
      const value: unknown = given.get(snakeCase(name));
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

const askedFor = ({ principalId, authzPolicy }: PrincipalArguments): PrincipalArguments => ({
  ...(principalId !== undefined && { principalId }),
  ...(authzPolicy !== undefined && { authzPolicy }),
});

const refused = (name: string, problems: readonly string[], { properties }: JsonSchema): DomainError => {
  const known = Object.keys(properties as object).join(', ');
  return new DomainError(
    'invalid_request',
    `the arguments of ${name} are invalid: ${problems.slice(0, 5).join('; ')}. It accepts: ${known}`,
  );
};

/** Rejects strings that no store accepts: NUL characters and unpaired surrogates, in values and in names. */
const mustBeStorable = (args: unknown, depth = 0): void => {
  if (typeof args === 'string' && (args.includes('\0') || !args.isWellFormed())) {
    throw new DomainError(
      'invalid_request',
      'a string in the arguments contains a NUL or half of a surrogate pair',
    );
  }
  if (typeof args !== 'object' || args === null) return;
  if (depth === MAX_LEVELS) {
    throw new DomainError('invalid_request', `the arguments are nested deeper than ${MAX_LEVELS} levels`);
  }
  for (const [name, value] of Object.entries(args)) {
    mustBeStorable(name, depth);
    mustBeStorable(value, depth + 1);
  }
};
const MAX_LEVELS = 32;
