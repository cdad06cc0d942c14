import { beforeAll, describe, expect, it } from 'vitest';
import { anthropicInterface as wire } from '../support/model-interfaces/anthropic.ts';
import { refuses, says, sends } from '../support/model-interfaces/interface.ts';
import { type ModelProvider, openModelProvider } from '../support/model-provider.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';

const journey = openJourney();
let service: Service;
let provider: ModelProvider;
beforeAll(async () => {
  provider = await openModelProvider();
  service = await journey.service({
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    LLM_PROVIDER: 'anthropic',
    LLM_URL: provider.baseUrl,
    LLM_MODEL: wire.model,
    LLM_API_KEY: wire.secret,
  });
}, 120_000);
journey.closing(async () => provider?.close());

const messages = [{ role: 'user', content: 'What are turbine blades made of?' }];
const ask = (more: object = {}, signal?: AbortSignal) =>
  fetch(`${service.base}/api/v1/completions`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ messages, ...more }),
    ...(signal !== undefined && { signal }),
  });

describe('completions by a model of Anthropic', { timeout: 120_000 }, () => {
  it('answer in its words, and name it', async () => {
    provider.next.push(says(wire, 'Of a nickel alloy.'));
    const { status, body } = await service.api('POST', '/completions', { messages });
    expect([status, body.model, body.choices[0].message.content]).toEqual([
      200,
      wire.model,
      'Of a nickel alloy.',
    ]);
    expect(wire.read(provider.asked.at(-1)!)).toMatchObject({ authorized: true, path: '/v1/messages' });
  });

  it('answer 502 when it refuses, and keep its key to themselves', async () => {
    provider.next.push(refuses(wire, 401, `bad key ${wire.secret}`));
    const { status, body } = await service.api('POST', '/completions', { messages });
    expect([status, body.error.type]).toEqual([502, 'provider_error']);
    expect(JSON.stringify(body) + service.output()).not.toContain(wire.secret);
  });

  it('are no empty answer when it only calls tools', async () => {
    provider.next.push(sends(wire, [...wire.begins, ...wire.ends('tool_use')]));
    const { status, body } = await service.api('POST', '/completions', { messages });
    expect([status, body.error.type]).toEqual([502, 'provider_error']);
  });

  it('are no short answer when it breaks off', async () => {
    provider.next.push(sends(wire, [...wire.begins, wire.piece('Of a nick')]));
    const { status, body } = await service.api('POST', '/completions', { messages });
    expect([status, body.error.type]).toEqual([502, 'provider_error']);
  });

  it('end at the provider when the client goes away', async () => {
    provider.next.push(sends(wire, [...wire.begins, wire.piece('Of a nick')], { after: 'stay' }));
    const leaving = new AbortController();
    const before = provider.asked.length;
    const response = await ask({ stream: true }, leaving.signal);
    const asked = await provider.request(before + 1);
    await response.body!.getReader().read();
    leaving.abort();
    expect(await asked.outcome).toBe('left');
  });
});
