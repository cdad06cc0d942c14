import { describe, expect, it } from 'vitest';
import { AddressNotAllowed, type ResolveName } from '../../../adapters/crawler/guarded-connector.ts';
import { startAgent, startSite, startSockets } from './loopback.ts';

/** A resolver that gives these answers, one per call, the last one for ever. */
const resolver = (...answers: readonly (readonly string[])[]) => {
  const asked: string[] = [];
  const resolveName: ResolveName = (hostname, _options, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => callback(null, found));
  };
  return { resolveName, asked };
};

const get = (origin: string) => ({ origin, path: '/', method: 'GET' }) as const;

/** Spellings of private targets, most of them of the loopback address. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0',
  '①②⑦.⓪.⓪.①',
  'LOCALHOST',
  '[::1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '169.254.169.254',
  '10.0.0.1',
];

describe('createGuardedAgent', () => {
  it.each(PRIVATE_HOSTS.flatMap((host) => [`http://${host}`, `https://${host}`]))(
    'refuses %s before a connection is made',
    async (origin) => {
      const target = await startSockets((socket) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
      );
      const url = new URL(origin);
      url.port = target.host.split(':')[1] ?? '';
      const request = startAgent({}).request(get(url.origin));
      await expect(request).rejects.toBeInstanceOf(AddressNotAllowed);
      expect(target.asked).toEqual([]);
    },
  );

  it.each(['http', 'https'])(
    'refuses a name with one private address among public ones, over %s',
    async (scheme) => {
      const { resolveName } = resolver(['93.184.216.34', '127.0.0.1']);
      const request = startAgent({ resolveName }).request(get(`${scheme}://mixed.example`));
      await expect(request).rejects.toThrow(
        'mixed.example resolves to 127.0.0.1, which is not a public address: to reach it, start the service with ' +
          `KNOWLEDGER_ALLOW_ADDRESSES=mixed.example:${scheme === 'http' ? 80 : 443} or with a CIDR that holds it, ` +
          'such as 127.0.0.1/32',
      );
    },
  );

  it.each([
    ['http://localhost', '127.0.0.1'],
    ['http://localhost', '::1'],
    ['http://127.0.0.1', '127.0.0.1'],
    ['http://mapped.example', '::ffff:127.0.0.1'],
  ])('names what lets %s at %s be reached, and that does', async (origin, address) => {
    const site = await startSite((_request, response) => response.end('here'));
    const port = site.host.split(':')[1] ?? '';
    const request = get(`${origin}:${port}`);
    const resolveName = resolver([address], [address]).resolveName;
    const refusal = await startAgent({ resolveName })
      .request(request)
      .then(() => 'reached', String);
    const [, named = '', cidr = ''] =
      /ADDRESSES=(\S+) or with a CIDR that holds it, such as (\S+)$/.exec(refusal) ?? [];
    expect(named).toBe(`${new URL(origin).hostname}:${port}`);
    // The site listens on IPv4 alone: whoever may connect to ::1 is refused by the system, not by the policy.
    const reached = address === '::1' ? 'ECONNREFUSED' : 'here';
    for (const allowed of [named, cidr]) {
      const agent = startAgent({ resolveName: resolver([address]).resolveName, allowAddresses: [allowed] });
      const answer = await agent.request(request).then(
        ({ body }) => body.text(),
        (error: { code: string }) => error.code,
      );
      expect([allowed, answer]).toEqual([allowed, reached]);
    }
  });

  it('connects to the addresses it has checked, without asking for the name again', async () => {
    const site = await startSite((_request, response) => response.end('here'));
    const { resolveName, asked } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const agent = startAgent({ resolveName, allowAddresses: ['127.0.0.1/32'] });
    const port = site.host.split(':')[1];
    const { body } = await agent.request(get(`http://rebind.example:${port}`));
    expect(await body.text()).toBe('here');
    expect(asked).toEqual(['rebind.example']);
  });

  it('checks again for each new connection, when the name has turned to a private address', async () => {
    const site = await startSite((_request, response) => response.end('here'));
    const { resolveName } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const agent = startAgent({ resolveName, allowAddresses: ['127.0.0.1/32'] });
    const request = get(`http://rebind.example:${site.host.split(':')[1]}`);
    const { body } = await agent.request({ ...request, reset: true });
    await body.text();
    await expect(agent.request(request)).rejects.toBeInstanceOf(AddressNotAllowed);
  });

  it('reaches a host and port that the operator vouches for, whatever the name resolves to', async () => {
    const site = await startSite((_request, response) => response.end('inside'));
    const port = site.host.split(':')[1];
    const { resolveName } = resolver(['127.0.0.1']);
    const agent = startAgent({ resolveName, allowAddresses: [`wiki.internal:${port}`] });
    const { body } = await agent.request(get(`http://wiki.internal:${port}`));
    expect(await body.text()).toBe('inside');
    const other = agent.request(get(`http://other.internal:${port}`));
    await expect(other).rejects.toBeInstanceOf(AddressNotAllowed);
  });

  it('reports a name without addresses as not found', async () => {
    const { resolveName } = resolver([]);
    const request = startAgent({ resolveName }).request(get('http://no.example'));
    await expect(request).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
