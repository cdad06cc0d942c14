import { KnowledgerError } from 'knowledger-client';
import { useEffect, useReducer, useRef } from 'react';
import { useClient } from '../../session.ts';
import { nextBatch, sentOfEach, type Upload } from './batches.ts';

/** Whether every other request would fail for the same reason. */
const meetsAll = (error: unknown): boolean =>
  !(error instanceof KnowledgerError) || error.status >= 500 || [401, 403, 404, 429].includes(error.status);

/**
 * Files on their way into a group; without one, the first of them create it. Each can be cancelled, and tried again.
 */
export const useUploads = (given?: string) => {
  const client = useClient();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const state = useRef({ uploads: [] as readonly Upload[], group: given });
  const request = useRef<AbortController | null>(null);
  const { current } = state;
  const change = (to: (upload: Upload) => Upload): void => {
    current.uploads = current.uploads.map(to);
    redraw();
  };
  /** Changes those of these paths that are still being sent. */
  const settle = (batch: readonly Upload[], to: Partial<Upload>): void => {
    const paths = new Set(batch.map(({ path }) => path));
    change((one) => (one.state === 'sending' && paths.has(one.path) ? { ...one, ...to } : one));
  };
  const sendBatch = async (batch: readonly Upload[], name: string, signal: AbortSignal): Promise<void> => {
    const form = new FormData();
    if (current.group === undefined) form.set('name', name);
    for (const { file, path } of batch) {
      form.append('files', file, path);
      form.append('last_modified', String(file.lastModified));
    }
    const onProgress = (sent: number): void => {
      const each = sentOfEach(batch, sent);
      change((one) => (one.state === 'sending' ? { ...one, sent: each.get(one.path) ?? one.sent } : one));
    };
    if (current.group === undefined)
      current.group = (
        await client.upload('/local-file-groups', form, { signal, onProgress })
      ).source_group_id;
    else {
      const path = { id: current.group };
      await client.upload('/local-file-groups/{id}/files', form, { path, signal, onProgress });
    }
  };
  /** Sends what waits; answers the group where nothing is left to try again, and nothing was cancelled meanwhile. */
  const send = async (name: string): Promise<string | undefined> => {
    for (;;) {
      const batch = nextBatch(current.uploads);
      if (batch.length === 0) break;
      const over = new AbortController();
      request.current = over;
      const going = new Set(batch.map(({ path }) => path));
      change((one) => (going.has(one.path) ? { ...one, state: 'sending' } : one));
      try {
        await sendBatch(batch, name, over.signal);
        settle(batch, { state: 'stored' });
      } catch (error) {
        if (over.signal.aborted) settle(batch, { state: 'waiting', sent: 0 });
        else if (batch.length > 1 && !meetsAll(error))
          settle(batch, { state: 'waiting', sent: 0, isAlone: true });
        else settle(batch, { state: 'failed', sent: 0, reason: (error as Error).message });
        if (!over.signal.aborted && meetsAll(error)) break;
      } finally {
        request.current = null;
      }
    }
    redraw();
    return current.uploads.some(
      ({ state: its, isLeftOut }) => its === 'failed' || its === 'waiting' || isLeftOut === true,
    )
      ? undefined
      : current.group;
  };
  /** What was sent of the same request with it goes again. */
  const cancel = (which: (upload: Upload) => boolean): void => {
    const isUnderWay = current.uploads.some((one) => one.state === 'sending' && which(one));
    const isLeftOut = request.current !== null;
    change((one) =>
      OPEN.has(one.state) && which(one) ? { ...one, state: 'canceled', sent: 0, isLeftOut } : one,
    );
    if (isUnderWay) request.current?.abort();
  };
  useEffect(() => () => cancel(() => true), []);
  return {
    uploads: current.uploads,
    group: current.group,
    isBusy: request.current !== null,
    /** Another file of the same path takes the place of the one before, if that has not been sent. */
    add: (files: readonly Pick<Upload, 'file' | 'path'>[]): void => {
      const paths = new Set(files.map(({ path }) => path));
      const kept = current.uploads.filter(({ path, state: its }) => its === 'stored' || !paths.has(path));
      current.uploads = [...kept, ...files.map((one) => ({ ...one, state: 'waiting', sent: 0 }) as const)];
      redraw();
    },
    send,
    cancel,
    again: (which: (upload: Upload) => boolean): void => {
      const isOver = ({ state: its }: Upload): boolean => its === 'failed' || its === 'canceled';
      change(({ reason: _, ...one }) =>
        isOver(one) && which(one)
          ? { ...one, state: 'waiting', sent: 0, isLeftOut: false }
          : { ...one, ...(_ && { reason: _ }) },
      );
    },
  };
};

const OPEN: ReadonlySet<string> = new Set(['waiting', 'sending']);
