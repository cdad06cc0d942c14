import { join } from 'node:path';

/** As hubs name models: `owner/name`, or a name alone. Never a path that leads elsewhere. */
const NAME = /^(?:[A-Za-z0-9_][\w.-]{0,95}\/)?[A-Za-z0-9_][\w.-]{0,95}$/;

export const isModelName = (name: string): boolean => NAME.test(name) && !name.includes('--');

/** The folder of a model; a name has one part alone there. */
export const folderOf = (root: string, name: string): string => join(root, name.replace('/', '--'));
