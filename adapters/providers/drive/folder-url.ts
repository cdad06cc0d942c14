import { DomainError } from '../../../domain/shared/domain-error.ts';

/** A folder, as its address names it. */
export interface FolderAddress {
  /** `root`: the whole drive of the account that is asked with. */
  readonly id: string;
  /** What some folders that are shared by link ask for beside. */
  readonly resourceKey: string | null;
}

const ID = /^[\w-]{10,200}$/;
const KEY = /^[\w-]{1,200}$/;
/** `/drive/folders/ID`, of an account (`/u/1`), of a domain (`/a/example.com`), and on telephones (`/mobile`). */
const FOLDER = /^(?:\/a\/[^/]+)?(?:\/corp)?\/drive(?:\/u\/\d+)?(?:\/mobile)?\/folders\/([^/]+)\/?$/;
/** The interface before 2014 kept the id behind `#folders/`. */
const OLD_PATH = /^(?:\/a\/[^/]+)?(?:\/drive)?(?:\/u\/\d+)?\/?$/;
const OLD_FOLDER = /^#(?:folders|shared-with-me\/folders)\/(?:[^/]+\/)*([^/]+)$/;
const BY_QUERY = /^(?:\/a\/[^/]+)?(?:\/drive)?(?:\/u\/\d+)?\/(?:open|folderview|embeddedfolderview)$/;
const MY_DRIVE = /^(?:\/a\/[^/]+)?\/drive(?:\/u\/\d+)?(?:\/mobile)?\/my-drive\/?$/;
const FILE = /\/(?:file|document|spreadsheets|presentation|forms|drawings)\/(?:u\/\d+\/)?d\//;

/** The forms in which Google Drive shows and shares a folder. @throws DomainError invalid_request, which says what to give */
export const folderAddress = (folderUrl: string): FolderAddress => {
  const url = URL.canParse(folderUrl) ? new URL(folderUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw refused('this is no address');
  if (FILE.test(url.pathname)) throw refused('this is the address of a file');
  if (url.hostname !== 'drive.google.com' || url.port !== '')
    throw refused('this is no address of Google Drive');
  const id = MY_DRIVE.test(url.pathname) ? 'root' : idIn(url);
  if (id === null) throw refused('this is the address of no folder');
  const key = url.searchParams.get('resourcekey') ?? url.searchParams.get('resourceKey');
  if (key !== null && !KEY.test(key)) throw refused('its `resourcekey` is none');
  return { id, resourceKey: key };
};

const idIn = ({ pathname, hash, searchParams }: URL): string | null => {
  const id =
    FOLDER.exec(pathname)?.[1] ??
    (BY_QUERY.test(pathname) ? searchParams.get('id') : null) ??
    (OLD_PATH.test(pathname) ? OLD_FOLDER.exec(hash)?.[1] : null);
  return id !== undefined && id !== null && ID.test(id) ? id : null;
};

const refused = (why: string): DomainError =>
  new DomainError(
    'invalid_request',
    `folder_url: ${why}; give the address of a folder as your browser shows it, such as https://drive.google.com/drive/folders/1AbCdEfGhIjK`,
  );

const FILE_ID =
  /^https?:\/\/(?:docs|drive)\.google\.com\/(?:[^?#]*\/)?(?:file|document|spreadsheets|presentation|forms|drawings)\/(?:u\/\d+\/)?d\/([\w-]+)/;

/** The id of a file, given so or by its address. @throws DomainError invalid_request */
export const fileIdIn = (written: string): string => {
  const url = URL.canParse(written) ? new URL(written) : null;
  const byQuery =
    url?.hostname === 'drive.google.com' && url.pathname === '/open' ? url.searchParams.get('id') : null;
  const id = FILE_ID.exec(written)?.[1] ?? byQuery ?? written;
  if (ID.test(id)) return id;
  throw new DomainError(
    'invalid_request',
    `locators: ${JSON.stringify(written)} is neither the id of a file nor its address`,
  );
};
