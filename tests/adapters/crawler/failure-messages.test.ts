import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fetcherFor, neverAborted, startSite, type Site } from './loopback.ts';

const failureOf = async (site: Site, path = '/') => {
  const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}${path}` }, neverAborted());
  if (outcome.kind !== 'failed') throw new Error(`it did not fail: ${outcome.kind}`);
  return outcome;
};
const redirecting = (location: () => string) =>
  startSite((_, response) => response.writeHead(302, { location: location() }).end());

/** Part of a user name or password. At `/`, `?` and `#` the authority ends (RFC 3986): what follows is none of it. */
const secret = fc.stringMatching(/^[A-Za-z0-9!$&'()*+,;=._~%:[\]@-]{4,12}$/).map((text) => `s3cret${text}`);
const shape = fc.constantFrom<(userinfo: string) => string>(
  (userinfo) => `http://${userinfo}@127.0.0.1/`,
  (userinfo) => `https://${userinfo}@example.com:8443/a?b=c`,
  (userinfo) => `//${userinfo}@example.com/a`,
  (userinfo) => `\\\\${userinfo}@example.com/a`,
  (userinfo) => `http:/${userinfo}@example.com/`.replace('http:/', 'https:/'),
  (userinfo) => `http://${userinfo}@example.com:99999/`,
  (userinfo) => `http://${userinfo}@exa mple.com/`,
  (userinfo) => `http://${userinfo}%40example.com/`,
  (userinfo) => `ftp://${userinfo}@example.com/`,
  (userinfo) => `jar:http://${userinfo}@example.com/!/a`,
);

describe('a redirect to a URL with user name and password', () => {
  it.each([
    [
      'http://user:pa55@127.0.0.1/x',
      'with a user name or a password; such redirects are not followed: http://127.0.0.1/x',
    ],
    [
      '//user:pa55@example.com',
      'with a user name or a password; such redirects are not followed: http://example.com/',
    ],
    ['ftp://user:pa55@example.com/', 'that is neither http nor https; such redirects are not followed'],
    ['http://user:pa55@example.com:99999/', 'that is not a URL; such redirects are not followed'],
    [
      'ftp://example.com/a',
      'that is neither http nor https; such redirects are not followed: ftp://example.com/a',
    ],
  ])('%s is told without them', async (location, told) => {
    const failure = await failureOf(await redirecting(() => location));
    expect([failure.code, failure.message]).toEqual([
      'redirect_not_allowed',
      `it redirects to an address ${told}`,
    ]);
  });

  it('shows the password nowhere in what comes of it, however it is written', async () => {
    let location = '';
    const site = await redirecting(() => location);
    const fetcher = fetcherFor(site);
    await fc.assert(
      fc.asyncProperty(secret, secret, shape, async (user, password, written) => {
        location = written(`${user}:${password}`);
        const mayFollow = () => false;
        const outcome = await fetcher.fetchPage({ url: `${site.origin}/`, mayFollow }, neverAborted());
        expect(JSON.stringify(outcome)).not.toMatch(/s3cret/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a failure', () => {
  it.each([404, 410, 403, 500, 599])('by status %s is a sentence without the URL', async (status) => {
    const { message } = await failureOf(await startSite((_, response) => response.writeHead(status).end()));
    expect(message).toMatch(new RegExp(`^the server answered ${status}( \\(.+\\))?$`));
  });

  it('behind a redirect names where it was, once', async () => {
    const site = await startSite((request, response) =>
      request.url === '/'
        ? response.writeHead(302, { location: '/gone' }).end()
        : response.writeHead(404).end(),
    );
    expect((await failureOf(site)).message).toBe(
      `it redirects to ${site.origin}/gone, and there the server answered 404 (Not Found)`,
    );
  });
});
