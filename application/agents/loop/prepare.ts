import type { Assignment, Workflow } from '../../../domain/agent-loop/next.ts';
import { workflowOf, WORKFLOW_TYPES } from '../../../domain/agent-loop/workflows.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { RunFailure, type RunToDo } from '../runs/run-executor.ts';
import type { SchemaCompiler } from '../../ports/compilers.ts';
import type { RunModel } from './ask-model.ts';

export interface PrepareDeps {
  /**
   * The model of a provider; null selects the default provider. Returns undefined if the provider is not configured.
   */
  readonly modelOf: (provider: RunToDo['provider']) => RunModel | undefined;
  readonly schemas: SchemaCompiler;
}

type Request = Pick<RunToDo, 'workflowType' | 'provider' | 'input'>;

/** What a run needs in addition to its tools. */
export interface Prepared {
  readonly workflow: Workflow;
  readonly model: RunModel;
  readonly problemsOf: Assignment['problemsOf'];
}

/**
 * Resolves the workflow, the model and the schema that a request names.
 *
 * @throws DomainError invalid_request, not_configured, schema_invalid
 */
export const prepare = (
  { modelOf, schemas }: PrepareDeps,
  { workflowType, provider, input }: Request,
): Prepared => {
  const workflow = workflowOf(workflowType);
  if (workflow === undefined)
    throw new DomainError('invalid_request', `workflow_type must be one of ${WORKFLOW_TYPES.join(', ')}`);
  const model = modelOf(provider);
  if (model === undefined)
    throw new DomainError(
      'not_configured',
      `provider ${provider} is not set up here: leave it out for the default`,
    );
  if (workflow.needs !== null && !model.model[workflow.needs])
    throw new DomainError(
      'not_configured',
      `workflow_type ${workflowType} needs the provider of a language model, and none is set up here: use chat`,
    );
  const [problem] = workflow.problemsOf(input);
  if (problem !== undefined) throw new DomainError('invalid_request', problem);
  const schema = input['schema'];
  const problemsOf =
    typeof schema === 'object' && schema !== null && workflowType === 'extract'
      ? schemas.compile(schema as Readonly<Record<string, unknown>>)
      : () => [];
  return { workflow, model, problemsOf };
};

/**
 * Rejects input fields that the workflow does not read. Called only when a run is created: accepted runs are executed.
 *
 * @throws DomainError invalid_request
 */
export const mustHaveKnownFields = ({ workflow: { type, fields } }: Prepared, { input }: Request): void => {
  const known = ['messages', ...fields];
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const named = JSON.stringify(unknown.slice(0, 100));
  throw new DomainError('invalid_request', `input has no field ${named}; ${type} knows: ${known.join(', ')}`);
};

/**
 * Like `prepare`, for a run that was accepted earlier: the configuration may have changed since.
 *
 * @throws RunFailure
 */
export const prepareAccepted = (deps: PrepareDeps, run: Request): Prepared => {
  try {
    return prepare(deps, run);
  } catch (error) {
    throw error instanceof DomainError ? new RunFailure(error.code, error.message) : error;
  }
};

export const assignmentOf = (
  { history, input }: Pick<RunToDo, 'history' | 'input'>,
  { model: { model }, problemsOf }: Prepared,
): Assignment => ({
  history,
  input,
  model: {
    toolUse: model.toolUse,
    structuredOutput: model.structuredOutput,
    contextWindow: model.contextWindow,
  },
  problemsOf,
});
