import { onTestFinished, expect, it } from 'vitest';
import { gitBlobName } from '../../../../adapters/providers/git-hosts/files.ts';
import { openSpool } from '../../../../adapters/providers/git-hosts/archive.ts';

const text = Buffer.from('a blob');

it('the spool has no blob of which the disk took a part alone, and has it when it is put in again', async () => {
  let taken = 3;
  const spool = await openSpool(async (file, bytes, at) => {
    const { bytesWritten } = await file.write(bytes, 0, Math.min(taken, bytes.byteLength), at);
    return bytesWritten;
  });
  onTestFinished(() => spool.close());
  const sha = gitBlobName(text, 40);
  await spool.put(sha, text);
  expect([spool.has(sha), await spool.get(sha)]).toEqual([false, null]);
  taken = 100;
  await spool.put(sha, text);
  expect(await spool.get(sha)).toEqual(text);
});

it('the spool gives nothing where the disk holds other bytes than were put in', async () => {
  const spool = await openSpool();
  onTestFinished(() => spool.close());
  const sha = gitBlobName(Buffer.from('another blob'), 40);
  await spool.put(sha, text);
  expect(await spool.get(sha)).toBeNull();
});
