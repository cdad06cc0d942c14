import { createHash } from 'node:crypto';

/** A file, folder or shortcut that the stand-in has. */
export interface Item {
  readonly id: string;
  name: string;
  mimeType: string;
  parent: string | null;
  /** By itself: what is in a folder in the trash is so too, without saying so. */
  trashed: boolean;
  /** The shared drive that it is in. */
  driveId?: string | undefined;
  bytes?: Buffer | undefined;
  /** Of Google's own types: what each export gives. */
  exports?: Readonly<Record<string, Buffer>>;
  version: number;
  modifiedTime: string;
  createdTime?: string;
  /** Their names. */
  owners?: readonly string[];
  /** The account may not see it any more. */
  hidden?: boolean;
  canDownload?: boolean;
  /** Asked for by whoever only has the link. */
  resourceKey?: string;
  target?: { readonly id: string; readonly mimeType: string; readonly resourceKey?: string };
}

export const FOLDER = 'application/vnd.google-apps.folder';
export const SHORTCUT = 'application/vnd.google-apps.shortcut';
export const DOCUMENT = 'application/vnd.google-apps.document';

/** As the API writes it: the reference of `files`. Numbers of 64 bits are texts. */
export const jsonOf = (item: Item, trashed: boolean): Readonly<Record<string, unknown>> => {
  const { id, name, mimeType, parent, driveId, bytes, version, modifiedTime, resourceKey, target } = item;
  return {
    kind: 'drive#file',
    id,
    name,
    mimeType,
    ...(parent !== null && { parents: [parent] }),
    trashed,
    explicitlyTrashed: item.trashed,
    ...(driveId !== undefined && { driveId }),
    version: String(version),
    modifiedTime,
    createdTime: item.createdTime,
    owners: item.owners?.map((displayName) => ({ kind: 'drive#user', displayName })),
    webViewLink: `https://drive.google.com/file/d/${encodeURIComponent(id)}/view?usp=drivesdk`,
    capabilities: { canDownload: item.canDownload !== false, canCopy: true },
    ...(resourceKey !== undefined && { resourceKey }),
    ...(bytes !== undefined && {
      size: String(bytes.length),
      md5Checksum: hash('md5', bytes),
      sha256Checksum: hash('sha256', bytes),
      headRevisionId: `revision-of-${hash('md5', bytes)}`,
    }),
    ...(target !== undefined && {
      shortcutDetails: {
        targetId: target.id,
        targetMimeType: target.mimeType,
        ...(target.resourceKey !== undefined && { targetResourceKey: target.resourceKey }),
      },
    }),
  };
};

const hash = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex');

/** The parameter `fields`: what is not named is left out ("Return specific fields" in the documentation of the API). */
export const selected = (json: unknown, fields: string): unknown => {
  if (Array.isArray(json)) return json.map((one) => selected(one, fields));
  if (typeof json !== 'object' || json === null) return json;
  const entries = partsOf(fields).flatMap((part) => {
    const [, name = '', inner] = /^(\w+)(?:\((.*)\))?$/.exec(part) ?? [];
    const value = (json as Readonly<Record<string, unknown>>)[name];
    return value === undefined ? [] : [[name, inner === undefined ? value : selected(value, inner)] as const];
  });
  return Object.fromEntries(entries);
};

/** Split at the commas that no bracket encloses. */
const partsOf = (fields: string): readonly string[] => {
  const parts = [''];
  let depth = 0;
  for (const character of fields) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
};
