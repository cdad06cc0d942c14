import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { chromiumHere } from '../support/chromium.ts';
import { type Issuer, newSigningKey, openIssuer } from '../support/issuer.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';

const chromiumFound = await chromiumHere();
const journey = openJourney();
let issuer: Issuer;
let service: Service;
beforeAll(async () => {
  issuer = await openIssuer();
  journey.closing(issuer.close);
  service = await journey.service({
    KNOWLEDGER_CONSOLE: chromiumFound === null ? 'off' : 'on',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_SCOPES: '{"editors":["knowledge:read","knowledge:write","ingestion:manage","audit:read"]}',
  });
}, 120_000);

const clientOf = (claims: object) =>
  createClient({ url: service.base, key: () => issuer.token({ ...claims }) });
const ada = { kind: 'person', name: 'ada@example.com' };

describe('somebody whom the issuer knows', () => {
  it('uses the API by a token, and is the actor of events', async () => {
    const client = clientOf({});
    const tag = await client.post('/tags', { body: { name: 'guides' } });
    const { changes } = await client.get('/tags/{id}/changes', { path: { id: tag.id } });
    expect(changes).toMatchObject([{ actor: { ...ada, id: `${issuer.url}#ada` } }]);
    const { events } = await client.get('/events', {
      query: { actor: `${issuer.url}#ada`, types: ['TagCreated'] },
    });
    expect(events).toMatchObject([{ type: 'TagCreated', actor: ada }]);
  });

  it('is refused without a group that gives scopes', async () => {
    const client = clientOf({ groups: ['others'] });
    await expect(client.get('/tags')).rejects.toMatchObject({ status: 403, type: 'insufficient_scope' });
  });
});

describe.skipIf(chromiumFound === null)('the console in a browser', { timeout: 180_000 }, () => {
  let browser: Browser;
  let page: Page;
  const told: string[] = [];
  beforeAll(async () => {
    // It opens the pages of this program alone, and root has no sandbox.
    browser = await chromium.launch({ executablePath: chromiumFound!.path, chromiumSandbox: false });
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') told.push(message.text());
    });
    page.on('pageerror', ({ message }) => told.push(message));
  }, 120_000);
  afterAll(() => browser?.close());

  const signIn = () => page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ });
  const whose = () => page.getByRole('banner').getByText('ada@example.com');

  it('leads to the issuer and back to the page, where what is done is done by the person', async () => {
    await page.goto(`${service.base}/console/administration?tab=tags`);
    await signIn().click();
    await whose().waitFor();
    expect(page.url()).toBe(`${service.base}/console/administration?tab=tags`);
    await page.getByRole('button', { name: 'New tag' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('manuals');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'manuals' }).waitFor();
    const client = createClient({ url: service.base, key: service.key });
    const { events } = await client.get('/events', { query: { order: 'desc', limit: 1 } });
    expect(events).toMatchObject([
      { type: 'TagCreated', data: { name: 'manuals' }, actor: { ...ada, id: `${issuer.url}#ada` } },
    ]);
  });

  it('renews a token that ends soon, and asks to sign in on the same page where it cannot', async () => {
    issuer.lifeSeconds = 1;
    await page.reload();
    await signIn().click();
    await whose().waitFor();
    issuer.lifeSeconds = 300;
    const before = issuer.asked.length;
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByText('Tag created').first().waitFor();
    await expect.poll(() => issuer.asked.slice(before)).toContain('/token');

    issuer.signer = await newSigningKey('first');
    await page.reload();
    const address = page.url();
    await signIn().click();
    await whose().waitFor();
    await signIn().waitFor();
    expect(page.url()).toBe(address);
    issuer.signer = null;
    await signIn().click();
    await whose().waitFor();
    expect(page.url()).toBe(address);
  });

  it('is left, and so is the issuer', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await signIn().waitFor();
    expect(issuer.asked).toContain('/logout');
    await page.reload();
    await signIn().waitFor();
    expect(told.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
