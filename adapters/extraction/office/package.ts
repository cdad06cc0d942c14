import { ExtractionFailure } from '../extraction-failure.ts';
import { openZip } from '../archive/zip.ts';
import { readXml, xmlText } from '../xml/read-xml.ts';

/** The target of a relationship. */
export interface Relationship {
  readonly id: string;
  /** The last segment of its type: `slide`, `image`, `comments`. */
  readonly type: string;
  /** Path of the part, or an external URL. */
  readonly target: string;
  readonly external: boolean;
}

/** Relationships by id: a part may reference many, so lookups must be fast. */
export const byId = (related: readonly Relationship[]): ReadonlyMap<string, Relationship> => {
  const found = new Map<string, Relationship>();
  for (const relation of related) if (!found.has(relation.id)) found.set(relation.id, relation);
  return found;
};

/** The parts of an office file of 2007 and later (Open Packaging Conventions, ISO/IEC 29500-2). */
export interface OfficePackage {
  /** Text of an XML part; null when it is missing. */
  xml(path: string): string | null;
  bytes(path: string): Buffer | null;
  /** Relationships of a part, or of the package for '', in order; none when unreadable. */
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

/** The main part of the package: the target of the relationship `officeDocument`. */
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
