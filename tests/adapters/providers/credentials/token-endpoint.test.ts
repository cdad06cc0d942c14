import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenEndpoint } from '../../../../adapters/providers/credentials/token-endpoint.ts';
import {
  TokenEndpointUnavailable,
  type TokenGrant,
  TokenRefused,
} from '../../../../application/ports/secrets.ts';

const SECRET = 'refresh-token-of-the-test';
const GRANT = { type: 'refresh_token', refreshToken: SECRET, clientId: 'a b&c' } as const;

let server: Server;
let url: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const bodies: string[] = [];
const agent = new Agent();
const endpoint = createTokenEndpoint(agent);

const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await text(request);
  bodies.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
  answer(request, response);
};

beforeAll(async () => {
  server = createServer((request, response) => {
    void take(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?v=1`;
});
afterAll(async () => {
  await agent.destroy();
  server.closeAllConnections();
  server.close();
});

const says =
  (status: number, body: unknown) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const asked = async (reply: typeof answer, timeoutMs = 10_000, grant: TokenGrant = GRANT) => {
  answer = reply;
  return endpoint.ask(url, grant, timeoutMs);
};

describe('a token endpoint', () => {
  it('is sent what is exchanged, once, and answers with token, life and what replaces the refresh token', async () => {
    bodies.length = 0;
    const token = { access_token: 'at', expires_in: 3_599, refresh_token: 'rt', token_type: 'Bearer' };
    expect(await asked(says(200, token))).toEqual({ token: 'at', lifeMs: 3_599_000, refreshToken: 'rt' });
    const sent = 'POST /token?v=1 application/x-www-form-urlencoded ';
    const refresh = `grant_type=refresh_token&refresh_token=${SECRET}&client_id=a+b%26c`;
    expect(bodies).toEqual([sent + refresh]);
    await asked(says(200, token), 10_000, { ...GRANT, clientSecret: 's' });
    await asked(says(200, token), 10_000, { type: 'assertion', assertion: 'a.b.c' });
    expect(bodies.slice(1)).toEqual([
      `${sent}${refresh}&client_secret=s`,
      `${sent}grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c`,
    ]);
    expect(await asked(says(200, { access_token: 'at', expires_in: '60' }))).toEqual({
      token: 'at',
      lifeMs: 60_000,
    });
    expect(await asked(says(200, { access_token: 'at' }))).toEqual({ token: 'at', lifeMs: null });
  });

  // RFC 6749, section 5.2; 401 for a client that failed to authenticate.
  it.each([
    [400, { error: 'invalid_grant', error_description: `token ${SECRET} expired` }, 'invalid_grant'],
    [401, { error: 'invalid_client' }, 'invalid_client'],
    [403, '<html>no</html>', 'it answers 403'],
    [400, { error: SECRET }, 'it answers 400'],
    [302, '', 'it answers 302'],
  ])('that answers %i %j refuses, and its words are not repeated', async (status, body, message) => {
    bodies.length = 0;
    await expect(asked(says(status, body))).rejects.toThrow(new TokenRefused(message));
    expect(bodies).toHaveLength(1);
  });

  it.each([
    [429, {}, 'it answers 429'],
    [503, 'busy', 'it answers 503'],
    [400, { error: 'temporarily_unavailable' }, 'it answers 400'],
    [200, { access_token: 'a\nb' }, 'it answered 200 without an access token'],
    [200, '<html>', 'it answered 200 without an access token'],
    [200, 'x'.repeat(70_000), 'it sent a response of over 65536 bytes'],
  ])('that answers %i %j is away for the moment', async (status, body, message) => {
    await expect(asked(says(status, body))).rejects.toThrow(new TokenEndpointUnavailable(message));
  });

  it('that hangs up, or says nothing, is away for the moment', async () => {
    const error = await asked((request) => request.socket.destroy()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TokenEndpointUnavailable);
    expect(String(error)).not.toContain(SECRET);
    await expect(asked(() => {}, 50)).rejects.toThrow(new TokenEndpointUnavailable('no answer within 50 ms'));
  });
});
