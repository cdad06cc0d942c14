import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AgentRun, AgentRunCreate } from 'knowledger-client';
import { useState } from 'react';
import { once } from '../../idempotency.ts';
import { useClient } from '../../session.ts';
import { Field } from '../../ui/field.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { Failure, Loaded } from '../../ui/parts.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import { SchemaForm, type Values } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';

const WORKFLOWS = ['chat', 'research', 'extract'] as const;
type Workflow = (typeof WORKFLOWS)[number];

const WORDS = words.fields.message;
const TITLE = 80;
const ROW =
  '{\n  "type": "object",\n  "properties": { "name": { "type": "string" } },\n  "required": ["name"]\n}';

const ofRuntime =
  (need: 'optional' | 'required') =>
  ({ execution_mode: mode }: Values) =>
    mode === 'MANAGED_RUNTIME' ? need : 'hidden';
const DEPENDS = { runtime_arn: ofRuntime('required'), mcp_session_id: ofRuntime('optional') };

/**
 * Starts a run with a message: in a new thread, or in that of a run with its workflow and settings, behind `parentRunId`
 * (null: beside its first run). The beginning of the message is its title, since lists show no message.
 */
export const StartRun = ({
  principal,
  like,
  message = '',
  hint,
}: {
  readonly principal: string | undefined;
  readonly like?: { readonly run: AgentRun; readonly parentRunId: string | null };
  readonly message?: string;
  readonly hint?: string;
}) => {
  const client = useClient();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [text, setText] = useState(message);
  const { messages: _, schema: row, ...settings } = like?.run.input ?? {};
  const before = WORKFLOWS.find((one) => one === like?.run.workflow_type) ?? 'chat';
  const [workflow, setWorkflow] = useState<Workflow>(before);
  const [schema, setSchema] = useState(row === undefined ? ROW : JSON.stringify(row, null, 2));
  const [more, setMore] = useState<Readonly<Record<string, unknown>>>({
    ...(principal !== undefined && { principal_id: principal }),
    ...(like !== undefined && requestOf(like.run)),
  });
  const body = useBodySchema('AgentRunCreate');
  const start = useMutation({
    mutationFn: () => {
      const asked: AgentRunCreate = {
        title: text.trim().replaceAll(/\s+/g, ' ').slice(0, TITLE),
        ...more,
        workflow_type: workflow,
        input: {
          // Each workflow has settings of its own.
          ...(workflow === before && settings),
          messages: [{ role: 'user', content: text }],
          ...(workflow === 'extract' && { schema: JSON.parse(schema) as unknown }),
        },
        ...(like !== undefined && { thread_id: like.run.thread_id, parent_run_id: like.parentRunId }),
      };
      return client.post('/agent/runs', {
        body: asked,
        headers: once(),
      });
    },
    onSuccess: async ({ thread_id: id, run_id: run, principal_id: of }) => {
      await queries.invalidateQueries({ queryKey: ['thread', id] });
      await navigate({ to: '/agents/$id', params: { id }, search: { run, principal: of } });
    },
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <div className="field">
        <label htmlFor="run-message">{WORDS.message.label}</label>
        <textarea
          id="run-message"
          rows={4}
          required
          autoFocus
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key, ctrlKey, metaKey, currentTarget: { form } }) => {
            if (key === 'Enter' && (ctrlKey || metaKey)) form?.requestSubmit();
          }}
        />
        <small>{hint ?? `${WORDS.message.rule}.`}</small>
      </div>
      <Field
        property={{ type: 'string', enum: WORKFLOWS }}
        isRequired
        value={workflow}
        change={(one) => setWorkflow(one as Workflow)}
        words={WORDS.workflow}
      />
      {workflow === 'extract' && (
        <JsonField words={WORDS.schema} text={schema} change={setSchema} isRequired />
      )}
      <Loaded query={body}>
        {(known) => (
          <SchemaForm
            schema={known}
            values={more}
            change={setMore}
            named={words.fields.run}
            depends={DEPENDS}
          />
        )}
      </Loaded>
      {start.error !== null && <Failure error={start.error} named={words.fields.run} />}
      <div className="actions">
        <button type="submit" className="main" disabled={start.isPending || text.trim() === ''}>
          {words.agents.start}
        </button>
      </div>
    </form>
  );
};

/** What of a run another request may ask for. */
const requestOf = ({
  provider,
  execution_mode,
  runtime_arn,
  mcp_session_id,
}: AgentRun): Partial<AgentRunCreate> => ({
  execution_mode,
  ...(provider !== undefined && { provider }),
  ...(runtime_arn !== undefined && { runtime_arn }),
  ...(mcp_session_id !== undefined && { mcp_session_id }),
});
