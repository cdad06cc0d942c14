import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import { holding, onDisk } from '../support/on-disk.ts';
import type { Service } from '../support/service.ts';
import { openReceiver } from '../support/webhook-receiver.ts';

const journey = openJourney();
let status = 204;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let service: Service;
/** The first message, and the secrets by which it is signed. */
let delivery: Pick<(typeof receiver.received)[0], 'headers' | 'body'> & {
  readonly secrets: readonly string[];
};
beforeAll(async () => {
  receiver = await openReceiver(() => status);
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: receiver.host });
});
afterAll(() => receiver.close());

it('sends what happens, signed, and tells of each delivery', { timeout: 180_000 }, async () => {
  const elsewhere = service.post('/webhooks', { body: { url: 'http://127.0.0.1:1/hook' } });
  await expect(elsewhere).rejects.toMatchObject({ status: 422, type: 'url_not_allowed' });
  const hook = await service.post('/webhooks', { body: { url: receiver.url, categories: ['tag'] } });
  const path = { id: hook.id };
  const rotated = await service.post('/webhooks/{id}/rotate-secret', { path });
  const secrets = [hook.secret!, rotated.secret!];
  await service.post('/tags', { body: { name: 'birds' } });
  await eventually(
    async () => receiver.received.length,
    (n) => n === 1,
  );
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  delivery = { headers, body, secrets };
  for (const secret of secrets)
    expect(await verifyWebhook(secret, headers, body)).toMatchObject({
      type: 'TagCreated',
      data: { id: headers['webhook-id'], type: 'TagCreated', data: { name: 'birds' } },
    });
  const { deliveries } = await eventually(
    () => service.get('/webhooks/{id}/deliveries', { path }),
    (listed) => listed.deliveries[0]?.state === 'delivered',
  );
  expect(deliveries).toMatchObject([{ id: headers['webhook-id'], status: 204, attempts: 1 }]);

  status = 410;
  await service.post('/tags', { body: { name: 'fish' } });
  const { disabled } = await eventually(
    () => service.get('/webhooks/{id}', { path }),
    ({ enabled }) => !enabled,
  );
  expect(disabled?.because).toBe('gone');
  expect(await service.post('/webhooks/{id}/test', { path })).toStrictEqual({
    delivered: false,
    status: 410,
    reason: 'the receiver answered 410',
  });
  status = 204;
  receiver.received.length = 0;
  await service.put('/webhooks/{id}', { path, body: { enabled: true } });
  await eventually(
    async () => receiver.received.length,
    (n) => n > 0,
  );
  expect(JSON.parse(receiver.received[0]!.body).data.data.name).toBe('fish');
  await service.delete('/webhooks/{id}', { path });
  await expect(service.get('/webhooks/{id}/deliveries', { path })).rejects.toMatchObject({
    type: 'not_found',
  });
  const files = await onDisk(service.dataDir);
  for (const secret of secrets) {
    expect(service.output()).not.toContain(secret);
    expect(holding(files, secret)).toEqual([]);
  }
});

const DOCS = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
/** Programs around what the documents show, which read a message as JSON, and fail where it is refused. */
const RECEIVERS: {
  readonly [language: string]: {
    /** Makes the program of the files, where that must be done. */
    readonly build?: readonly string[];
    readonly run: readonly string[];
    readonly files: (shown: string) => { readonly [name: string]: string };
  };
} = {
  python: {
    run: ['python3', 'receive.py'],
    files: (shown) => ({
      'receive.py': `${shown}
import json, sys
message = json.load(sys.stdin)
verify(message["secrets"], message["headers"], message["body"].encode())
`,
    }),
  },
  go: {
    build: ['go', 'build', '-o', 'receive', '.'],
    run: ['./receive'],
    files: (shown) => ({
      'go.mod': 'module receive\n\ngo 1.20\n',
      // Instead of net/http, of which the whole would be compiled for one method.
      'http/header.go': `package http

type Header map[string]string

func (h Header) Get(name string) string { return h[name] }
`,
      'receive.go': `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"receive/http"
	"strconv"
	"strings"
	"time"
)

${shown}
func main() {
	var message struct {
		Secrets []string
		Headers http.Header
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&message); err != nil {
		panic(err)
	}
	if err := verify(message.Secrets, message.Headers, []byte(message.Body)); err != nil {
		panic(err)
	}
}
`,
    }),
  },
};
const isThere = ({ build, run }: (typeof RECEIVERS)[string]): boolean => {
  const program = (build ?? run)[0]!;
  return spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0;
};

it.each(Object.entries(RECEIVERS).filter(([, program]) => isThere(program)))(
  'is verified by what the documents show in %s',
  { timeout: 180_000 },
  (language, { build, run, files }) => {
    const folder = mkdtempSync(join(tmpdir(), 'knowledger-receiver-'));
    const start = ([program, ...args]: readonly string[], input = ''): void =>
      void execFileSync(program!, args, { cwd: folder, input, stdio: 'pipe' });
    try {
      const shown = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(DOCS)![1]!;
      for (const [name, text] of Object.entries(files(shown))) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      if (build !== undefined) start(build);
      const take = (message: object): void => start(run, JSON.stringify(message));
      const [before, now] = delivery.secrets as [string, string];
      for (const secrets of [delivery.secrets, [before], [now]]) take({ ...delivery, secrets });
      expect(() => take({ ...delivery, body: `${delivery.body} ` })).toThrow('no signature matches');
      const late = { ...delivery.headers, 'webhook-timestamp': '1790000000' };
      expect(() => take({ ...delivery, headers: late })).toThrow('too old');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
