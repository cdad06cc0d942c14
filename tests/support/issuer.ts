import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

export const newSigningKey = async (kid: string, alg = 'ES256'): Promise<SigningKey> => {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, ...pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } };
};

/** A stand-in of an issuer of OpenID Connect, at which somebody has always signed in already. */
export interface Issuer {
  readonly url: string;
  readonly clientId: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** What it publishes; the first one signs, unless `signer` does. */
  keys: SigningKey[];
  signer: SigningKey | null;
  /** Claims of the one who signs in next. */
  person: JWTPayload;
  /** Of tokens that it issues from now on. */
  lifeSeconds: number;
  /** It answers 503 to everything. */
  isDown: boolean;
  /** Overwrites fields of its discovery document. */
  metadata: Readonly<Record<string, unknown>>;
  /** A token of the person, with other claims. */
  readonly token: (
    claims?: Readonly<Record<string, unknown>>,
    by?: SigningKey,
    header?: object,
  ) => Promise<string>;
  readonly close: () => Promise<void>;
}

export const openIssuer = async (clientId = 'knowledger'): Promise<Issuer> => {
  /** Of authorizations that were not exchanged yet. */
  const codes = new Map<string, URLSearchParams>();
  const refreshTokens = new Set<string>();

  const idToken = async (more: Readonly<Record<string, unknown>>) => {
    const token = await issuer.token(more);
    const refresh = randomUUID();
    refreshTokens.add(refresh);
    return {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: issuer.lifeSeconds,
      id_token: token,
      refresh_token: refresh,
    };
  };
  const exchange = async (form: URLSearchParams): Promise<readonly [number, object]> => {
    if (form.get('grant_type') === 'refresh_token') {
      const known = refreshTokens.delete(form.get('refresh_token') ?? '');
      return known ? [200, await idToken({})] : [400, { error: 'invalid_grant' }];
    }
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      asked?.get('code_challenge') === challenge &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('redirect_uri') === form.get('redirect_uri') &&
      asked.get('client_id') === form.get('client_id');
    return fits ? [200, await idToken({ nonce: asked.get('nonce') })] : [400, { error: 'invalid_grant' }];
  };
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(req.url ?? '/', issuer.url);
    issuer.asked.push(pathname);
    const json = (status: number, body: object): void => {
      res.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
      res.end(JSON.stringify(body));
    };
    const redirect = (to: string, query: Readonly<Record<string, string | null>>): void => {
      const target = new URL(to);
      for (const [name, value] of Object.entries(query))
        if (value !== null) target.searchParams.set(name, value);
      res.writeHead(302, { location: target.href }).end();
    };
    if (issuer.isDown) return json(503, {});
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return json(200, {
          issuer: issuer.url,
          authorization_endpoint: `${issuer.url}/authorize`,
          token_endpoint: `${issuer.url}/token`,
          end_session_endpoint: `${issuer.url}/logout`,
          jwks_uri: `${issuer.url}/jwks`,
          ...issuer.metadata,
        });
      case '/jwks':
        return json(200, { keys: issuer.keys.map(({ jwk }) => jwk) });
      case '/authorize': {
        const code = randomUUID();
        codes.set(code, searchParams);
        return redirect(searchParams.get('redirect_uri')!, { code, state: searchParams.get('state') });
      }
      case '/token':
        return json(...(await exchange(new URLSearchParams(await text(req)))));
      case '/logout':
        return redirect(searchParams.get('post_logout_redirect_uri')!, {});
      default:
        return json(404, {});
    }
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    asked: [],
    keys: [await newSigningKey('first')],
    signer: null,
    person: { sub: 'ada', email: 'ada@example.com', groups: ['editors'] },
    lifeSeconds: 300,
    isDown: false,
    metadata: {},
    token: (claims = {}, by = issuer.signer ?? issuer.keys[0]!, header = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: issuer.url, aud: clientId, iat: now, exp: now + issuer.lifeSeconds };
      return new SignJWT({ ...usual, ...issuer.person, ...claims })
        .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header })
        .sign(by.privateKey);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return issuer;
};
