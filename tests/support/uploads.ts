import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { follow } from './event-stream.ts';
import type { Answer, Client } from './client.ts';
import type { Service } from './service.ts';

/** A file of a form: its name, its text, and when it was changed. */
export type Sent = readonly [name: string, text: string, modified?: number];

export const formOf = (fields: Readonly<Record<string, string>>, files: readonly Sent[]): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, text] of files) form.append('files', new Blob([text]), name);
  for (const [, , modified = 1_790_000_000_000] of files) form.append('last_modified', `${modified}`);
  return form;
};

/** A group whose first job is over; answers its id. */
export const uploaded = async (
  service: Client,
  files: readonly Sent[],
  fields: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const form = formOf({ name: 'Files', ...fields }, files);
  const { source_group_id: id } = await service.upload('/local-file-groups', form);
  await jobsOver(service, id, 1);
  return id;
};

const OVER = ['JobSucceeded', 'JobFailed', 'JobCanceled'];

/** Resolves, to all events so far, when so many jobs of the group have ended. */
export const jobsOver = async (service: Client, id: string, count: number) => {
  let over = 0;
  const events = await follow(service, `/local-file-groups/${id}/events`, ({ data }) => {
    if (OVER.includes(data.type)) over += 1;
    return over === count;
  });
  return events.map(({ data }) => data);
};

/** Paths of the files that the service keeps on its disk, of all areas. */
export const filesOnDisk = async ({ dataDir }: Service): Promise<readonly string[]> => {
  const root = join(dataDir, 'files');
  const areas = await readdir(root);
  const found = await Promise.all(
    areas.map(async (area) => {
      const folder = join(root, area);
      // An area may go while it is looked at.
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name));
    }),
  );
  return found.flat().toSorted();
};

/** An upload that waits in the middle of its first file, until it is ended or cut. */
export const beginUpload = (service: Service, path: string, name: string) => {
  const head = (about: string) => `--part\r\ncontent-disposition: form-data; ${about}\r\n\r\n`;
  const answer = Promise.withResolvers<Answer | null>();
  const sending = request(`${service.base}/api/v1${path}`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'multipart/form-data; boundary=part' },
  });
  sending.on('error', () => answer.resolve(null));
  sending.on('response', (response) => {
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.on('end', () =>
      answer.resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), headers: new Headers() }),
    );
  });
  sending.write(`${head('name="name"')}${name}\r\n${head('name="files"; filename="slow.txt"')}the heron `);
  return {
    cut: () => void sending.destroy(),
    end: () => {
      sending.end(`waits\r\n${head('name="last_modified"')}1790000000000\r\n--part--\r\n`);
      return answer.promise;
    },
  };
};
