import { errorOf } from 'knowledger-client';
import * as oauth from 'oauth4webapi';

/** How people sign in, as the service tells it. */
export interface Issuer {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  /** Which token gives access to the service. */
  readonly token: 'id_token' | 'access_token';
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly end_session_endpoint: string | null;
}

/** Null where keys alone give access. @throws KnowledgerError such as while the issuer cannot be asked */
export const askForIssuer = async (): Promise<Issuer | null> => {
  const response = await fetch('/sign-in');
  if (!response.ok) throw await errorOf(response);
  return ((await response.json()) as { readonly oidc: Issuer | null }).oidc;
};

/** Somebody who has signed in. */
export interface SignedIn {
  readonly issuer: Issuer;
  readonly token: string;
  /** Unix milliseconds; null where the issuer does not tell. */
  readonly expiresAt: number | null;
  readonly refreshToken: string | null;
  /** Tells the issuer whose session ends. */
  readonly idToken: string;
  /** As the issuer calls the person. */
  readonly name: string;
}

/** A way to the issuer that has begun in this tab. */
interface Pending {
  readonly issuer: Issuer;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Whether the tab keeps what comes of it. */
  readonly keep: boolean;
  /** The page to come back to. */
  readonly back: string;
}
const PENDING = 'knowledger-signing-in';

const redirectUri = (): string => `${location.origin}/console`;
const serverOf = (issuer: Issuer): oauth.AuthorizationServer => ({
  issuer: issuer.issuer,
  authorization_endpoint: issuer.authorization_endpoint,
  token_endpoint: issuer.token_endpoint,
  // The service checks the signature.
  id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
});
const clientOf = (issuer: Issuer): oauth.Client => ({ client_id: issuer.client_id });
/** The service tells of plain HTTP only on its own machine. */
const OPTIONS = { [oauth.allowInsecureRequests]: true };

/** Leads to the issuer, which leads back to the console. */
export const goToIssuer = async (issuer: Issuer, keep: boolean): Promise<void> => {
  const pending: Pending = {
    issuer,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    keep,
    back: location.pathname + location.search,
  };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const to = new URL(issuer.authorization_endpoint);
  const asked = {
    client_id: issuer.client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: issuer.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) to.searchParams.set(name, value);
  location.assign(to);
};

/**
 * Whoever comes back from the issuer, if this page is the way back; the address is then that of the page before.
 *
 * @throws what the issuer refuses
 */
export const comeBack = async (): Promise<{ readonly signedIn: SignedIn; readonly keep: boolean } | null> => {
  const told = new URLSearchParams(location.search);
  const began = sessionStorage.getItem(PENDING);
  if (began === null || !told.has('state') || !(told.has('code') || told.has('error'))) return null;
  sessionStorage.removeItem(PENDING);
  const { issuer, state, nonce, verifier, keep, back } = JSON.parse(began) as Pending;
  history.replaceState(null, '', back);
  const [server, client] = [serverOf(issuer), clientOf(issuer)];
  const callback = callbackIn(server, client, told, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    callback,
    redirectUri(),
    verifier,
    OPTIONS,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  return { signedIn: signedInBy(issuer, tokens), keep };
};

const callbackIn: typeof oauth.validateAuthResponse = (...response) => {
  try {
    return oauth.validateAuthResponse(...response);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    throw new Error(error.error_description ?? error.error, { cause: error });
  }
};

/** With newer tokens; the same where the issuer gives none. @throws TypeError where it cannot be reached */
export const refreshed = async (before: SignedIn): Promise<SignedIn> => {
  const { issuer, refreshToken } = before;
  if (refreshToken === null) return before;
  const [server, client] = [serverOf(issuer), clientOf(issuer)];
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, OPTIONS);
  try {
    const tokens = await oauth.processRefreshTokenResponse(server, client, response);
    return signedInBy(issuer, tokens, before);
  } catch {
    return { ...before, refreshToken: null };
  }
};

const signedInBy = (issuer: Issuer, tokens: oauth.TokenEndpointResponse, before?: SignedIn): SignedIn => {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  const refreshToken = tokens.refresh_token ?? before?.refreshToken ?? null;
  const idToken = tokens.id_token ?? before?.idToken ?? '';
  const name =
    [claims?.['email'], claims?.['preferred_username'], claims?.['name'], before?.name, claims?.sub].find(
      (value): value is string => typeof value === 'string' && value !== '',
    ) ?? '';
  const known = { issuer, refreshToken, idToken, name };
  if (issuer.token === 'access_token') {
    const life = tokens.expires_in;
    const expiresAt = life === undefined ? null : Date.now() + 1_000 * life;
    return { ...known, token: tokens.access_token, expiresAt };
  }
  // Some issuers renew the access token alone.
  if (claims === undefined) return { ...before!, refreshToken: null };
  return { ...known, token: idToken, expiresAt: 1_000 * claims.exp };
};

/** Ends the session at the issuer too, where it has an address for that. */
export const leaveIssuer = ({ issuer, idToken }: SignedIn): void => {
  if (issuer.end_session_endpoint === null) return;
  const to = new URL(issuer.end_session_endpoint);
  to.searchParams.set('id_token_hint', idToken);
  to.searchParams.set('client_id', issuer.client_id);
  to.searchParams.set('post_logout_redirect_uri', redirectUri());
  location.assign(to);
};
