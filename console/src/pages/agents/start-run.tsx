import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AgentRun, AgentRunCreate } from 'knowledger-client';
import { useState } from 'react';
import { once } from '../../idempotency.ts';
import { useClient } from '../../session.ts';
import { Failure, Loaded } from '../../ui/parts.tsx';
import { useBodySchema } from '../../ui/body-schema.ts';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { words } from '../../words.ts';

const WORKFLOWS = ['chat', 'research', 'extract'] as const;
type Workflow = (typeof WORKFLOWS)[number];

const TITLE = 80;
const ROW =
  '{\n  "type": "object",\n  "properties": { "name": { "type": "string" } },\n  "required": ["name"]\n}';

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
  const isBad = workflow === 'extract' && !isJson(schema);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <div className="field">
        <label htmlFor="run-message">{words.agents.message}</label>
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
        {hint !== undefined && <small>{hint}</small>}
      </div>
      <div className="field">
        <label htmlFor="run-workflow">{words.agents.workflow}</label>
        <select
          id="run-workflow"
          value={workflow}
          onChange={({ target }) => setWorkflow(target.value as Workflow)}
        >
          {WORKFLOWS.map((one) => (
            <option key={one} value={one}>
              {words.agents.workflows[one]}
            </option>
          ))}
        </select>
      </div>
      {workflow === 'extract' && (
        <div className="field">
          <label htmlFor="run-schema">{words.agents.extractSchema}</label>
          <textarea
            id="run-schema"
            className="code"
            rows={7}
            value={schema}
            onChange={({ target }) => setSchema(target.value)}
          />
          {isBad && <span className="reason">{words.agents.badJson}</span>}
        </div>
      )}
      <Loaded query={body}>
        {(known) => (
          <SchemaForm
            schema={known}
            values={more}
            change={setMore}
            leaveOut={['input', 'workflow_type', 'thread_id', 'parent_run_id', 'idempotency_key']}
          />
        )}
      </Loaded>
      {start.error !== null && <Failure error={start.error} />}
      <div className="actions">
        <button type="submit" className="main" disabled={start.isPending || isBad || text.trim() === ''}>
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

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
