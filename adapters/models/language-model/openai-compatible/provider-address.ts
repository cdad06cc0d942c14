/** A configuration that cannot work. The message names the setting by its role and holds no secret. */
class InvalidProviderSettings extends Error {
  override readonly name = 'InvalidProviderSettings';
}

/**
 * Where chat completions are asked for: `/chat/completions` below the base, whose query is kept.
 *
 * @throws {InvalidProviderSettings}
 */
export const completionsUrl = (baseUrl: string): URL => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidProviderSettings(
      'the base URL of the language model must begin with http:// or https://',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidProviderSettings(
      'the base URL of the language model must hold no credentials: give the API key apart',
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  url.hash = '';
  return url;
};

/** @throws {InvalidProviderSettings} for a key that no header can carry, as with a line break at its end */
export const authorization = (apiKey: string | undefined): { readonly authorization?: string } => {
  if (apiKey === undefined) return {};
  if (!/^[\u0021-\u007e]+$/.test(apiKey)) {
    throw new InvalidProviderSettings(
      'the API key of the language model is empty or holds spaces, line breaks or other than ASCII characters',
    );
  }
  return { authorization: `Bearer ${apiKey}` };
};
