import { ExtractionFailure } from '../extraction-failure.ts';
import { openZip } from '../archive/zip.ts';
import { readXml, xmlText } from '../xml/read-xml.ts';

/** Where a part of a package leads to. */
export interface Relationship {
  readonly id: string;
  /** The last segment of its type: `slide`, `image`, `comments`. */
  readonly type: string;
  /** Path of the part, or the address of something outside. */
  readonly target: string;
  readonly external: boolean;
}

/** By their ids: a part may refer to as many as it has, so each is looked up, and not looked for. */
export const byId = (related: readonly Relationship[]): ReadonlyMap<string, Relationship> => {
  const found = new Map<string, Relationship>();
  for (const relation of related) if (!found.has(relation.id)) found.set(relation.id, relation);
  return found;
};

/** Parts of an office file of 2007 and later (Open Packaging Conventions, ISO/IEC 29500-2). */
export interface OfficePackage {
  /** Text of an XML part; null where it is absent. */
  xml(path: string): string | null;
  bytes(path: string): Buffer | null;
  /** Of a part, or of the package for ''. In their order; none where they cannot be read. */
  relationships(path: string): readonly Relationship[];
}

/** @throws {ExtractionFailure} as `openZip` does */
export const openPackage = (bytes: Buffer): OfficePackage => {
  const zip = openZip(bytes);
  const xml = (path: string): string | null => {
    const part = zip.read(path);
    return part === null ? null : xmlText(part);
  };
  return {
    xml,
    bytes: (path) => zip.read(path),
    relationships: (path) => {
      const { folder, name } = splitPath(path);
      const text = xml(`${folder}_rels/${name}.rels`);
      return text === null ? [] : readRelationships(text, folder);
    },
  };
};

/** The part that the package is about: the target of the relationship `officeDocument`. */
export const mainPart = (file: OfficePackage, fallback: string): { path: string; xml: string } => {
  const named = file.relationships('').find(({ type }) => type === 'officeDocument')?.target;
  for (const path of [named, fallback]) {
    const xml = path === undefined ? null : file.xml(path);
    if (path !== undefined && xml !== null) return { path, xml };
  }
  throw new ExtractionFailure('parser_failed', 'its main part is missing');
};

const splitPath = (path: string): { readonly folder: string; readonly name: string } => {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, slash + 1), name: path.slice(slash + 1) };
};

const readRelationships = (text: string, folder: string): readonly Relationship[] => {
  const found: Relationship[] = [];
  readXml(text, {
    open: (name, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship') return;
      const external = TargetMode === 'External';
      const target = external ? Target : resolvePath(folder, Target);
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target, external });
    },
  });
  return found;
};

const resolvePath = (folder: string, target: string): string => {
  const path: string[] = [];
  const steps = (target.startsWith('/') ? target : folder + target).replaceAll('\\', '/').split('/');
  for (const step of steps) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return path.join('/');
};
