import { CFB } from '@e965/xlsx';

/** A compound file of these streams. */
export const compoundFile = (streams: Readonly<Record<string, Buffer>>): Buffer => {
  const file = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(file, name, content);
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
};
