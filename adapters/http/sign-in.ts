import type { IRouter } from 'express';
import type { SignIn } from '../../application/access/people/sign-in.ts';
import { sendJson } from './json-response.ts';
import { refuseOtherMethods } from './mount.ts';

const PATH = '/sign-in';

/** How people sign in, for a browser in which nobody has. Public, outside of the base path. */
export const mountSignIn = (app: IRouter, signIn: SignIn | undefined): void => {
  app.get(PATH, async (_req, res) => {
    if (signIn === undefined) return sendJson(res, 200, { oidc: null });
    const { issuer, clientId, scope, token, endpoints } = await signIn.client();
    sendJson(res, 200, {
      oidc: {
        issuer,
        client_id: clientId,
        scope,
        token,
        authorization_endpoint: endpoints.authorization,
        token_endpoint: endpoints.token,
        end_session_endpoint: endpoints.endSession,
      },
    });
  });
  refuseOtherMethods(app, PATH, ['GET']);
};

/** Where a page that signs people in sends requests; nowhere while the issuer does not tell. */
export const originsOf = async (signIn: SignIn | undefined): Promise<readonly string[]> => {
  const client = await signIn?.client().catch(() => undefined);
  return client === undefined ? [] : [new URL(client.endpoints.token).origin];
};
