import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AgentCoreServer,
  openAgentCore,
  RUNTIME_ARN,
  tells,
} from '../support/agent/agent-core-server.ts';
import { done, followed, runThatIs, started } from '../support/agents.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';

const AWS_SECRET_ACCESS_KEY = 'an-aws-secret-of-the-operator-0123456789';
const managed = { execution_mode: 'MANAGED_RUNTIME', runtime_arn: RUNTIME_ARN } as const;

const journey = openJourney();
let runtime: AgentCoreServer;
let service: Service;
beforeAll(async () => {
  runtime = await openAgentCore();
  journey.closing(runtime.close);
  service = await journey.service({
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    KNOWLEDGER_AGENT_RUNTIME_ARNS: RUNTIME_ARN,
    KNOWLEDGER_AGENT_RUNTIME_URL: runtime.endpoint,
    KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS: '3',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY,
  });
}, 120_000);

describe('a run that is handed to a runtime', { timeout: 60_000 }, () => {
  it('is executed there, told live, and part of its thread', async () => {
    runtime.answer = tells('Falcons', ' dive at jo@example.org', '.');
    const policy = await service.api('POST', '/redaction-policies', {
      name: 'no addresses',
      applies_to: ['agent'],
      rules: [{ name: 'mail', kind: 'email' }],
    });
    expect(policy.status).toBe(201);
    const { run_id: id, thread_id: threadId } = await started(service, 'How fast?', managed);
    const seen = await followed(service, id);
    const types = seen.map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    const sessionId = `knowledger-${threadId}`;
    expect(seen).toContainEqual(
      expect.objectContaining({
        name: 'handed_over',
        value: { runtime_arn: RUNTIME_ARN, runtime_session_id: sessionId },
      }),
    );
    const run = await runThatIs(service, id);
    expect(run).toMatchObject({ status: 'SUCCEEDED', execution_mode: 'MANAGED_RUNTIME' });
    expect(run.result).toMatchObject({ runtime: { arn: RUNTIME_ARN, session_id: sessionId } });
    expect(run.result.message.content).toMatch(/^Falcons dive at .*\.$/);
    expect(JSON.stringify([run, seen])).not.toContain('jo@example.org');

    const next = await done(service, 'And now?', { ...managed, thread_id: threadId });
    expect(next.status).toBe('SUCCEEDED');
    const [first, second] = runtime.invoked;
    expect([first?.sessionId, second?.sessionId]).toEqual([sessionId, sessionId]);
    expect(second?.payload.messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    expect(JSON.stringify(second?.payload)).not.toContain('jo@example.org');
  });

  it('is told to the log with the runtime and a digest, and without a word that was said', async () => {
    runtime.answer = tells('Peregrines do.');
    const run = await done(service, 'Which falcon dives?', managed);
    const told = await service.get('/agent/runs/{run_id}/events', { path: { run_id: run.run_id } });
    const types = told.events.map(({ type }: { type: string }) => type);
    expect(types.slice(0, 3)).toEqual(['RunQueued', 'RunStarted', 'RunHandedOver']);
    const handed = told.events[2];
    expect(handed!.body!.request).toEqual(runtime.invoked.at(-1)?.payload);
    const log = await service.get('/events', { query: { category: ['agentRun'], limit: 100 } });
    const known = log.events.findLast(({ type }: { type: string }) => type === 'RunHandedOver');
    expect(known!.data).toMatchObject({
      runtime_arn: RUNTIME_ARN,
      runtime_session_id: `knowledger-${run.thread_id}`,
      request: expect.objectContaining({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    });
    expect(JSON.stringify(log)).not.toMatch(/falcon dives|Peregrines/);
  });

  it('never shows the credentials of the operator', () => {
    expect(service.output()).not.toContain(AWS_SECRET_ACCESS_KEY);
    for (const { headers } of runtime.invoked) expect(headers.authorization).not.toContain('an-aws-secret');
  });
});
