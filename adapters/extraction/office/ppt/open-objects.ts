import { OF_PRESENTATIONS } from '../../locked/known-passwords.ts';
import { rc4Keys } from '../../locked/rc4-keys.ts';
import { recordAt } from './records.ts';
import { persistedPlaces } from './persisted.ts';

/** `CryptSession10Container`, the header of the lock ([MS-PPT] 2.3.7). */
const LOCK = 0x2f14;
const HEADER_BYTES = 8;

/**
 * A copy of a presentation's stream without its lock, where its password is the one that PowerPoint tries itself: each object
 * has a key of its own ([MS-PPT] 2.3.7). Null for another password, or where there is none.
 */
export const openObjects = (stream: Buffer, newestEdit: number): Buffer | null => {
  const { places, lockId } = persistedPlaces(stream, newestEdit);
  const lock = recordAt(stream, lockId === null ? -1 : (places.get(lockId) ?? -1));
  const cipher = lock?.type === LOCK ? rc4Keys(lock.body, OF_PRESENTATIONS) : null;
  if (cipher === null) return null;
  const copy = Buffer.from(stream);
  // Objects of one file do not overlap; those of a made one would be turned again and again.
  let left = stream.length;
  for (const [id, at] of places) {
    if (id === lockId || at + HEADER_BYTES > copy.length || left <= 0) continue;
    const open = cipher(id);
    open(copy.subarray(at, at + HEADER_BYTES));
    const { body } = recordAt(copy, at)!;
    open(body);
    left -= HEADER_BYTES + body.length;
  }
  return copy;
};
