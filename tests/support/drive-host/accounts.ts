import { verify } from 'node:crypto';
import { RSA } from '../rsa-key.ts';

/** What the token endpoint knows. */
export interface Accounts {
  /** Refresh tokens that are taken. */
  readonly refreshTokens: Set<string>;
  /** Addresses of service accounts, whose keys are the one of `rsa-key.ts`. */
  readonly serviceAccounts: Set<string>;
  /** Tokens that the API takes; null: any. */
  accepts: Set<string> | null;
  /** Of a token that is given, in seconds. */
  lifeS: number;
  given: number;
}

export const SERVICE_ACCOUNT = 'reader@project.iam.gserviceaccount.com';

export const newAccounts = (): Accounts => ({
  refreshTokens: new Set(),
  serviceAccounts: new Set([SERVICE_ACCOUNT]),
  accepts: null,
  lifeS: 3_600,
  given: 0,
});

/**
 * Google's token endpoint ("Using OAuth 2.0 for Server to Server Applications" and "for Web Server Applications"): a JWT
 * that the key of the account signed, whose `aud` is this endpoint and that lives for an hour at most; or a refresh token.
 * `invalid_grant` for all else.
 */
export const answerToken = (
  accounts: Accounts,
  form: URLSearchParams,
  tokenUrl: string,
): { readonly status: number; readonly json: object } => {
  const isGood =
    form.get('grant_type') === 'refresh_token'
      ? accounts.refreshTokens.has(form.get('refresh_token') ?? '')
      : isSigned(accounts, form.get('assertion') ?? '', tokenUrl);
  if (!isGood) return { status: 400, json: { error: 'invalid_grant', error_description: 'Bad Request' } };
  accounts.given += 1;
  const token = `ya29.token-${accounts.given}`;
  accounts.accepts = new Set([...(accounts.accepts ?? []), token]);
  return { status: 200, json: { access_token: token, expires_in: accounts.lifeS, token_type: 'Bearer' } };
};

const isSigned = ({ serviceAccounts }: Accounts, assertion: string, tokenUrl: string): boolean => {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  const signed = Buffer.from(`${header}.${claims}`);
  if (!verify('sha256', signed, RSA.public, Buffer.from(signature, 'base64url'))) return false;
  const { iss, scope, aud, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  return (
    serviceAccounts.has(String(iss)) &&
    scope === 'https://www.googleapis.com/auth/drive.readonly' &&
    aud === tokenUrl &&
    Number(exp) - Number(iat) <= 3_600
  );
};
