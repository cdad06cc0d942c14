// Checks an export of events against a signed checkpoint. Needs Node 20 or newer, and nothing else.
//   node verify-export.mjs <export.ndjson> <checkpoint> <verifier key>
// The checkpoint is a file with a signed note. Take the key from where you trust it: the log alone does not vouch for
// itself. docs/proofs.md describes the lines.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const fail = (why) => {
  console.error(why);
  process.exit(1);
};
const sha256 = (...parts) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const base64 = (text) => Buffer.from(text, 'base64');

/** RFC 8785. */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
};

const MAX_LEAF_BYTES = 65_535;
/** The hash of the leaf of an event, as docs/proofs.md defines it. */
const leafHash = ({ event, hidden = {} }) => {
  const { data, ...rest } = event;
  const shown = { ...data };
  const hashes = {};
  for (const [field, { salt, hash }] of Object.entries(hidden)) {
    hashes[field] = hash ?? sha256(base64(salt), canonical(data[field])).toString('base64');
    delete shown[field];
  }
  const leaf = { ...rest, ...(Object.keys(hidden).length > 0 && { hidden: hashes }) };
  const whole = canonical({ ...leaf, data: shown });
  if (Buffer.byteLength(whole) <= MAX_LEAF_BYTES) return sha256([0], whole);
  return sha256([0], canonical({ ...leaf, data_hash: sha256(canonical(shown)).toString('base64') }));
};

/** Reads a checkpoint (C2SP tlog-checkpoint), and checks its signature (C2SP signed-note). */
const readCheckpoint = (path, verifierKey) => {
  const note = readFileSync(path, 'utf8');
  const end = note.lastIndexOf('\n\n') + 1;
  const [name, id, ...rest] = verifierKey.split('+');
  const key = base64(rest.join('+'));
  if (key.length !== 33 || key[0] !== 1) fail('this is not a verifier key of Ed25519: <name>+<id>+<key>');
  const expected = sha256(`${name}\n`, key).subarray(0, 4);
  if (expected.toString('hex') !== id) fail('the id of the verifier key is not that of its name and key');
  const spki = Buffer.concat([base64('MCowBQYDK2VwAyEA'), key.subarray(1)]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const isSigned = note
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      const [dash, signer, text = ''] = line.split(' ');
      const signature = base64(text);
      return (
        dash === '—' &&
        signer === name &&
        signature.subarray(0, 4).equals(expected) &&
        verify(null, Buffer.from(note.slice(0, end)), publicKey, signature.subarray(4))
      );
    });
  if (!isSigned) fail(`${path} is not signed by ${name}`);
  const [origin, size, root] = note.split('\n');
  if (origin !== name) fail(`${path} is a checkpoint of ${origin}, not of ${name}`);
  return { origin, size: Number(size), root: base64(root) };
};

const main = async ([path, checkpointPath, verifierKey]) => {
  if (verifierKey === undefined) fail('usage: verify-export.mjs <export.ndjson> <checkpoint> <verifier key>');
  const { origin, size, root } = readCheckpoint(checkpointPath, verifierKey);
  /** Roots of complete subtrees, largest first. */
  const subtrees = [];
  let [index, events] = [0, 0];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line === '') continue;
    if (index === size) break;
    const entry = JSON.parse(line);
    if (entry.index !== index) fail(`line ${index + 1}: index ${entry.index} where ${index} is expected`);
    let hash = base64(entry.leaf_hash);
    if (entry.event !== undefined) {
      events += 1;
      if (!leafHash(entry).equals(hash))
        fail(
          `index ${index}: revision ${entry.event.revision} of ${entry.event.stream} is not the event of this hash`,
        );
    }
    for (let n = index; n % 2 === 1; n = (n - 1) / 2) hash = sha256([1], subtrees.pop(), hash);
    subtrees.push(hash);
    index += 1;
  }
  if (index < size) fail(`the export ends after ${index} of ${size} events`);
  const found =
    subtrees.length === 0 ? sha256('') : subtrees.reduceRight((right, left) => sha256([1], left, right));
  if (!found.equals(root)) fail('the events are not those that the checkpoint covers');
  console.log(`${events} events of ${origin} are among the ${size} that the checkpoint covers`);
};

await main(process.argv.slice(2));
