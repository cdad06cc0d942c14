import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const TIMEOUT_MS = 600_000;

/** Sound of a recording that is ready to be sent; null where the program finds none in it. */
export type TakeSound = (
  file: string,
  folder: string,
  signal?: AbortSignal,
) => Promise<{ readonly file: string; readonly bytes: number } | null>;

/**
 * Takes the sound out of a recording with ffmpeg: one channel in MP3, 14 MB an hour. The program gets no environment, no
 * input, and may open files alone: playlists lead nowhere.
 *
 * @param ffmpeg path of the program
 */
export const createTakeSound =
  (ffmpeg: string): TakeSound =>
  async (file, folder, signal) => {
    const sound = join(folder, 'sound.mp3');
    const how = ['-nostdin', '-loglevel', 'error', '-protocol_whitelist', 'file', '-i', file];
    const what = ['-vn', '-ac', '1', '-ar', '16000', '-b:a', '32k', '-f', 'mp3', '-y', sound];
    const limits = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', env: {}, maxBuffer: 64 * 1_024 } as const;
    try {
      await promisify(execFile)(ffmpeg, [...how, ...what], {
        ...limits,
        ...(signal !== undefined && { signal }),
      });
      const { size } = await stat(sound);
      return size === 0 ? null : { file: sound, bytes: size };
    } catch {
      signal?.throwIfAborted();
      return null;
    }
  };
