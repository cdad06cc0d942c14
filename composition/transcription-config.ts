import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ConfigError, type Environment } from './environment.ts';
import { baseUrl, modelName, secret } from './provider-variables.ts';

/** A server that speaks OpenAI's `/audio/transcriptions`. */
export interface TranscriptionConfig {
  /** Base of the API, without `/audio/transcriptions`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Path of ffmpeg; undefined: there is none. */
  readonly ffmpeg: string | undefined;
}

const MODEL = 'whisper-1';

/** @throws ConfigError for a model, a key or an ffmpeg without an address */
export const readTranscription = (env: Environment): TranscriptionConfig | undefined => {
  const base = baseUrl(env, 'TRANSCRIPTION_URL', 'TRANSCRIPTION_API_KEY');
  const key = secret(env, 'TRANSCRIPTION_API_KEY');
  const named = env['TRANSCRIPTION_MODEL'] || undefined;
  if (base === undefined && named === undefined && key === undefined) return undefined;
  if (base === undefined)
    throw new ConfigError(
      'TRANSCRIPTION_URL takes the base URL of the API: TRANSCRIPTION_MODEL and TRANSCRIPTION_API_KEY alone say not where',
    );
  return {
    url: base,
    model: named === undefined ? MODEL : modelName(env, 'TRANSCRIPTION_MODEL'),
    key,
    ffmpeg: findFfmpeg(env),
  };
};

/** @throws ConfigError where a path is named and no program is there */
const findFfmpeg = (env: Environment): string | undefined => {
  const named = env['KNOWLEDGER_FFMPEG'] || undefined;
  if (named !== undefined) {
    if (isAbsolute(named) && isProgram(named)) return named;
    throw new ConfigError('KNOWLEDGER_FFMPEG takes the absolute path of ffmpeg');
  }
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'ffmpeg'))
    .find(isProgram);
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
