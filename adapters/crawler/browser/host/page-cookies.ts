import type { Cookie } from '../../cookies.ts';
import type { PageSource } from '../messages.ts';
import type { BrowserContext } from 'playwright-core';

/** Without a dot before it, a domain is one host. The proxy keeps the cookies from other ports of it. */
export const giveCookies = async (context: BrowserContext, source: PageSource): Promise<void> => {
  const { hostname } = new URL(source.url);
  const cookies = (source.cookies ?? []).map(({ expiresAt, ...cookie }) => ({
    ...cookie,
    domain: hostname,
    expires: expiresAt === null ? -1 : expiresAt / 1_000,
  }));
  // One that the browser refuses, such as `__Host-` with a path, must not cost the others, or the page.
  for (const cookie of cookies) await context.addCookies([cookie]).catch(() => {});
};

/** The cookies that apply to the host of the page. */
export const cookiesIn = async (context: BrowserContext, source: PageSource): Promise<readonly Cookie[]> => {
  const { hostname } = new URL(source.url);
  const cookies = await context.cookies();
  return cookies
    .filter(
      ({ domain }) => hostname === domain || (domain.startsWith('.') && `.${hostname}`.endsWith(domain)),
    )
    .map(({ name, value, path, secure, httpOnly, expires }) => ({
      name,
      value,
      path,
      secure,
      httpOnly,
      expiresAt: expires === -1 ? null : expires * 1_000,
    }));
};
