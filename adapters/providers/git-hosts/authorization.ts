import { camelKeys } from '../../../domain/shared/key-case.ts';
import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { Credential, Credentials, TokenSigner } from '../../../application/ports/secrets.ts';

import { type Authorization } from '../credentials/authorization.ts';
import type { ProviderClient } from '../../http-client/client.ts';
import { RequestRefused, InvalidResponse } from '../../http-client/provider-response.ts';

type Headers = Readonly<Record<string, string>>;

interface Deps {
  readonly client: ProviderClient;
  /** Base URL of the API, with a trailing slash. */
  readonly base: URL;
  readonly signer: Pick<TokenSigner, 'sign'>;
  readonly now: () => number;
}

type App = Extract<Credential, { type: 'app' }>;

interface InstallationToken {
  readonly token: string;
  /** Unix milliseconds. */
  readonly until: number;
  /** The secret that the token was requested with; after a change the next request uses the new one. */
  readonly app: App;
}

const isOf = (now: App, then: App): boolean =>
  now.appId === then.appId &&
  now.installationId === then.installationId &&
  now.privateKey === then.privateKey;

export const authorizationBy = (deps: Deps, credentials: Credentials): Authorization => {
  let newest: Credential | null = null;
  let installation: InstallationToken | null = null;
  return {
    hasSecret: true,
    headers: async (signal) => {
      newest = await credentials.current(signal);
      switch (newest.type) {
        case 'token':
        case 'access_token':
          return bearer(newest.token);
        case 'basic':
          return { authorization: `Basic ${base64(`${newest.username}:${newest.password}`)}` };
        case 'app':
          if (installation === null || installation.until <= deps.now() || !isOf(newest, installation.app))
            installation = { ...(await installationToken(deps, newest, signal)), app: newest };
          return bearer(installation.token);
      }
    },
    refused: async (signal) => {
      if (newest === null) return false;
      // The token of an installation expires after an hour, even if its secret stays valid.
      if (installation !== null) return ((installation = null), true);
      return credentials.refused(newest, signal);
    },
  };
};

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const MAX_TOKEN_BYTES = 1024 * 1024;
const RENEWED_BEFORE_MS = 5 * 60_000;

/**
 * GitHub's documentation, "Generating an installation access token": a token for an hour, in exchange for a JWT of
 * minutes.
 *
 * @throws SourceRefused, SourceUnavailable
 */
const installationToken = async (
  { client, base, signer, now }: Deps,
  app: App,
  signal: AbortSignal,
): Promise<Pick<InstallationToken, 'token' | 'until'>> => {
  const request = {
    url: new URL(`app/installations/${encodeURIComponent(app.installationId)}/access_tokens`, base),
    method: 'POST',
    secretHeaders: bearer(jwtOf(signer, app, Math.floor(now() / 1_000))),
    maxBytes: MAX_TOKEN_BYTES,
  } as const;
  const take = (json: unknown) => {
    const { token, expiresAt } = (camelKeys(json) ?? {}) as {
      readonly token?: unknown;
      readonly expiresAt?: unknown;
    };
    if (typeof token !== 'string') throw new InvalidResponse('sent no token for the installation of the app');
    const ends = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
    return { token, until: (Number.isNaN(ends) ? now() + 3_600_000 : ends) - RENEWED_BEFORE_MS };
  };
  return client.json(request, take, signal).catch(rejectedApp);
};

/** Every refusal here is about the app, not about a file: it was uninstalled, suspended, or has another key. */
const rejectedApp = (error: unknown): never => {
  if (!(error instanceof RequestRefused)) throw error;
  throw new SourceRefused(
    'credentials_rejected',
    'Credentials rejected',
    `the repository host gives no token for the installation of the app (${error.status}): check that it is installed, ` +
      'and the ids and the key in the secret of this data source, then sync',
  );
};

/** `iat` is a minute in the past, because clocks differ; valid for 9 of the 10 minutes that are allowed. */
const jwtOf = (signer: Deps['signer'], { appId, privateKey }: App, seconds: number): string => {
  const claims = { iat: seconds - 60, exp: seconds + 540, iss: appId };
  try {
    return signer.sign(claims, privateKey);
  } catch {
    throw new SourceRefused(
      'credentials_rejected',
      'Credentials rejected',
      'the private key of the app cannot be used to sign: give the secret the key in PEM, as the host made it',
    );
  }
};
