import type { SdkModel } from './sdk-model.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export type ProviderSettings =
  | { readonly provider: 'anthropic' | 'google'; readonly apiKey: string; readonly baseUrl?: string }
  | {
      readonly provider: 'bedrock';
      readonly region: string;
      /** A Bedrock API key, or what requests are signed with. */
      readonly credentials: { readonly apiKey: string } | AwsCredentials;
      readonly baseUrl?: string;
    };

export type ProviderName = ProviderSettings['provider'];

/** The versions that are tested; `package.json` has the same. */
const PROVIDER_PACKAGES: { readonly [Name in ProviderName]: string } = {
  anthropic: '@ai-sdk/anthropic@4.0.105',
  google: '@ai-sdk/google@4.0.121',
  bedrock: '@ai-sdk/amazon-bedrock@5.0.101',
};

/** Media types of their answers. */
export const ANSWERS: { readonly [Name in ProviderName]: string } = {
  anthropic: 'text/event-stream',
  google: 'text/event-stream',
  bedrock: 'application/vnd.amazon.eventstream',
};

/** The package of a provider is not installed, or in a version that is another interface. The message says what to do. */
export class ProviderPackageMissing extends Error {
  override readonly name = 'ProviderPackageMissing';
  constructor(provider: ProviderName) {
    super(
      `it needs a package that is not installed: npm install --omit=dev --save-prod ${PROVIDER_PACKAGES[provider]}`,
    );
  }
}

/**
 * Loads the package of one provider, and no other. Everything is given to it: what is not, it reads from variables of
 * the environment that are meant for others, such as AWS_ENDPOINT_URL, which may be that of a file store.
 *
 * @throws {ProviderPackageMissing}
 */
export const openProvider = async (
  settings: ProviderSettings,
  model: string,
  send: typeof fetch,
): Promise<SdkModel> => {
  try {
    const opened = await open(settings, model, send);
    if (opened.specificationVersion === 'v4') return opened;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  throw new ProviderPackageMissing(settings.provider);
};

/**
 * Whether the provider's package is there. Nothing is asked of the provider.
 *
 * @throws {ProviderPackageMissing}
 */
export const checkProvider = async (settings: ProviderSettings): Promise<void> => {
  await openProvider(settings, 'any', fetch);
};

const open = async (settings: ProviderSettings, model: string, send: typeof fetch): Promise<SdkModel> => {
  switch (settings.provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      const { apiKey, baseUrl: baseURL = 'https://api.anthropic.com/v1' } = settings;
      return createAnthropic({ apiKey, baseURL, fetch: send })(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      const { apiKey, baseUrl: baseURL = 'https://generativelanguage.googleapis.com/v1beta' } = settings;
      return createGoogle({ apiKey, baseURL, fetch: send })(model);
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      const { region, credentials, baseUrl: baseURL = bedrockUrl(region) } = settings;
      return createAmazonBedrock({ ...credentials, region, baseURL, fetch: send })(model);
    }
  }
};

const bedrockUrl = (region: string): string =>
  `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
