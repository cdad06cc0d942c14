import { isCompoundFile, openCompoundFile, type CompoundFile } from '../archive/compound-file.ts';
import { openAgile } from './agile-package.ts';
import { OF_WORKBOOKS } from './known-passwords.ts';
import { MOST_SPINS } from './stretched-password.ts';
import { openStandard } from './standard-package.ts';

const AGILE = 4;
const STANDARD = 2;

/**
 * The office file within a locked one, where the password is that which programs try themselves; else what was given.
 *
 * @param source a file of any type, or a storage of one
 * @param mostSpins what a file may ask to be done with the password; one that asks for more stays locked
 */
export const openedPackage = <Source extends Buffer | CompoundFile>(
  source: Source,
  mostSpins = MOST_SPINS,
): Source | Buffer => {
  if (Buffer.isBuffer(source) && !isCompoundFile(source)) return source;
  try {
    const file = openCompoundFile(source);
    const [info, locked] = [file.read('EncryptionInfo'), file.read('EncryptedPackage')];
    return info === null || locked === null ? source : (opened(info, locked, mostSpins) ?? source);
  } catch {
    // A broken one is still locked: who reads on says so.
    return source;
  }
};

const opened = (info: Buffer, locked: Buffer, mostSpins: number): Buffer | null => {
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  const size = Number(locked.readBigUInt64LE(0));
  const rest = locked.subarray(8);
  if (major === AGILE && minor === AGILE)
    return openAgile(info.toString('utf8', 8), rest, size, OF_WORKBOOKS, mostSpins);
  return minor === STANDARD ? openStandard(info, rest, size, OF_WORKBOOKS) : null;
};
