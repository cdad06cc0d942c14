import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { AgentRunCreate } from 'knowledger-client';
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
 * Starts a run with a message: in a new thread, or in one that there is, behind `parentRunId` (null: beside its first
 * run). The beginning of the message is its title, since lists show no message.
 */
export const StartRun = ({
  principal,
  thread,
  message = '',
  hint,
}: {
  readonly principal: string | undefined;
  readonly thread?: { readonly id: string; readonly parentRunId: string | null };
  readonly message?: string;
  readonly hint?: string;
}) => {
  const client = useClient();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [text, setText] = useState(message);
  const [workflow, setWorkflow] = useState<Workflow>('chat');
  const [schema, setSchema] = useState(ROW);
  const [more, setMore] = useState<Readonly<Record<string, unknown>>>(
    principal === undefined ? {} : { principal_id: principal },
  );
  const body = useBodySchema('AgentRunCreate');
  const start = useMutation({
    mutationFn: () => {
      const asked: AgentRunCreate = {
        title: text.trim().replaceAll(/\s+/g, ' ').slice(0, TITLE),
        ...more,
        workflow_type: workflow,
        input: {
          messages: [{ role: 'user', content: text }],
          ...(workflow === 'extract' && { schema: JSON.parse(schema) as unknown }),
        },
        ...(thread !== undefined && { thread_id: thread.id, parent_run_id: thread.parentRunId }),
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

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
