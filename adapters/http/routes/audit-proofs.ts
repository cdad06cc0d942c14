import type { Response } from 'express';
import Type, { type Static } from 'typebox';
import type { ProofOperations } from '../../../application/audit/proof-operations.ts';
import type { KeptCheckpoint } from '../../../application/ports/log-tree.ts';
import { noteWith } from '../../../domain/proof/note.ts';
import { parseTilePath } from '../../../domain/proof/tiles.ts';
import { seconds } from '../data-sources/kind.ts';
import { ok } from '../json-response.ts';
import { HttpProblem } from '../problem.ts';
import { type AnyRoute, STREAMED, route } from '../route.ts';
import { closed, Limit, patterned, UnixSeconds } from '../schemas/common.ts';

const read = { tag: 'proofs', scope: 'audit:read', method: 'get', reads: ['log_tree'] } as const;
const unrestricted = ['key_restricted'] as const;
const signed = [...unrestricted, 'not_configured', 'history_damaged'] as const;

export const auditProofRoutes = (proofs: ProofOperations): readonly AnyRoute[] => [
  route({
    ...read,
    path: '/audit/checkpoint',
    operationId: 'getCheckpoint',
    summary: 'The signed checkpoint of the event log as it is now',
    description:
      'Of the Merkle tree over all events of the tenant (RFC 9162), as a signed note (C2SP tlog-checkpoint). It is made if the log has grown since the last one, and kept for ever. With `x-min-position` it covers that event.',
    answers: { 200: Checkpoint },
    problems: signed,
    handler: async ({ caller }) => ok(checkpointRecord(await proofs.checkpoint(caller))),
  }),
  route({
    ...read,
    path: '/audit/checkpoints',
    operationId: 'listCheckpoints',
    summary: 'All checkpoints',
    description:
      'By default the oldest first. Keep some of them elsewhere: they alone prove that the log was not written anew.',
    query: CheckpointQuery,
    answers: { 200: CheckpointList },
    problems: unrestricted,
    handler: async ({ caller, query: { limit = 20, after, order } }) => {
      const found = await proofs.checkpoints(caller, after, limit + 1, order);
      const rows = found.slice(0, limit);
      const hasMore = found.length > limit;
      const next = hasMore ? { next_id: rows.at(-1)!.size } : {};
      const pagination = { limit, has_more: hasMore, ...next };
      return ok({ checkpoints: rows.map(checkpointRecord), pagination });
    },
  }),
  route({
    ...read,
    path: '/audit/keys',
    operationId: 'listVerifierKeys',
    summary: 'The keys that verify checkpoints',
    description:
      'Every key that has ever signed one, newest first, in the form that tools for signed notes take.',
    answers: { 200: VerifierKeys },
    problems: unrestricted,
    handler: async ({ caller }) => {
      const { origin, keys } = await proofs.keys(caller);
      return ok({ origin, keys: keys.map(({ key, since }) => ({ key, since: seconds(since) })) });
    },
  }),
  route({
    ...read,
    path: '/audit/proofs/inclusion',
    operationId: 'proveInclusion',
    summary: 'Prove that an event is in the log',
    description:
      'The hashes that lead from the event to the root of a checkpoint (RFC 9162, section 2.1.3), and the event itself. Fields that the key may not see are in it as salted hashes, so that it can be verified all the same.',
    query: InclusionQuery,
    answers: { 200: InclusionProof },
    problems: [...signed, 'not_found'],
    handler: async ({ caller, query: { stream, revision, size } }) => {
      const { line, leaf, path, checkpoint } = await proofs.inclusion(caller, stream, BigInt(revision), size);
      return ok({ ...line, leaf, hashes: path.map(base64), checkpoint: checkpointRecord(checkpoint) });
    },
  }),
  route({
    ...read,
    path: '/audit/proofs/consistency',
    operationId: 'proveConsistency',
    summary: 'Prove that a log has only grown',
    description:
      'The hashes that prove that the log of `from` events is the beginning of that of `to` (RFC 9162, section 2.1.4).',
    query: ConsistencyQuery,
    answers: { 200: ConsistencyProof },
    problems: unrestricted,
    handler: async ({ caller, query: { from, to } }) => {
      const hashes = await proofs.consistency(caller, from, to);
      return ok({ from, to, hashes: hashes.map(base64) });
    },
  }),
  route({
    ...read,
    path: '/audit/log/{id}/checkpoint',
    operationId: 'getLogCheckpoint',
    summary: 'The checkpoint, for tools that read logs',
    description:
      'That of `getCheckpoint` as it was signed, with the signatures of witnesses (C2SP tlog-tiles).',
    answers: {},
    otherResponses: {
      200: { description: 'A signed note', content: { 'text/plain': { schema: { type: 'string' } } } },
    },
    problems: [...signed, 'not_found'],
    handler: async ({ caller, id, res }) => {
      mustBeOwn(caller.tenant, id);
      const { note, cosignatures } = await proofs.checkpoint(caller);
      return send(res, 'text/plain; charset=utf-8', 'no-cache', Buffer.from(noteWith(note, cosignatures)));
    },
  }),
  route({
    ...read,
    path: '/audit/log/{id}/tile/{tile}',
    operationId: 'getLogTile',
    summary: 'A tile or an entry bundle, for tools that read logs',
    description:
      'Hash tiles of height 8 (`<L>/<N>`), and bundles of canonical events (`entries/<N>`), whole or partial (`.p/<W>`), as C2SP tlog-tiles has them: `/audit/log/{id}` is the prefix of the log, and `id` the tenant.',
    answers: {},
    otherResponses: {
      200: {
        description: 'The hashes, or the entries behind their lengths',
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    },
    problems: [...unrestricted, 'not_found', 'history_damaged'],
    handler: async ({ caller, id, params, res }) => {
      mustBeOwn(caller.tenant, id);
      const name = parseTilePath(params['tile'] ?? '');
      if (name === null)
        throw new HttpProblem('not_found', 'a tile is <L>/<N>[.p/<W>] or entries/<N>[.p/<W>]');
      return send(
        res,
        'application/octet-stream',
        'private, max-age=31536000, immutable',
        await proofs.tile(caller, name),
      );
    },
  }),
];

const mustBeOwn = (own: string, asked: string): void => {
  if (asked !== own) throw new HttpProblem('not_found', 'this key has no such log');
};

const send = (res: Response, type: string, caching: string, body: Uint8Array): typeof STREAMED => {
  res.setHeader('content-type', type);
  res.setHeader('cache-control', caching);
  res.setHeader('content-length', body.length);
  res.end(body);
  return STREAMED;
};

const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');

const checkpointRecord = ({ size, root, note, signedAt, cosignatures }: KeptCheckpoint): Checkpoint => ({
  size,
  root_hash: base64(root),
  signed_at: seconds(signedAt),
  note: noteWith(note, cosignatures),
  witnesses: cosignatures.length,
});

const Base64 = (description: string) => Type.String({ description: `${description}, in base64` });
const Size = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const Hashes = Type.Array(Type.String(), { description: 'In base64, in the order of the RFC' });

export const Checkpoint = Type.Object({
  size: Size('Events that it covers'),
  root_hash: Base64('Root of the Merkle tree over them'),
  signed_at: UnixSeconds,
  note: Type.String({ description: 'The signed note, with the signatures of witnesses' }),
  witnesses: Type.Integer({ minimum: 0, description: 'How many witnesses have signed it' }),
});
type Checkpoint = Static<typeof Checkpoint>;
const CheckpointQuery = closed({
  limit: Type.Optional(Limit),
  after: Type.Optional(Size('Fetch those that cover more events; with `order=desc` those that cover fewer')),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { default: 'asc', description: '`desc`: the newest first' }),
  ),
});
export const CheckpointList = Type.Object({
  checkpoints: Type.Array(Checkpoint),
  pagination: Type.Object({
    limit: Type.Integer(),
    has_more: Type.Boolean(),
    next_id: Type.Optional(Size('Send it as `after`')),
  }),
});
export const VerifierKeys = Type.Object({
  origin: Type.String({ description: 'First line of each checkpoint: names installation and tenant' }),
  keys: Type.Array(Type.Object({ key: Type.String(), since: UnixSeconds })),
});
const InclusionQuery = closed({
  stream: patterned('^[a-z][A-Za-z0-9]*-[0-9A-Za-z-]+$', 'must be the name of a stream', {
    maxLength: 200,
    examples: ['tag-0199d2a0-0000-7000-8000-000000000001'],
  }),
  revision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [0] }),
  size: Type.Optional(Size('That of a checkpoint; absent: the newest')),
});
export const InclusionProof = Type.Object({
  index: Size('Of the leaf'),
  leaf_hash: Base64('Hash of the leaf'),
  leaf: Type.String({ description: 'Canonical form of the event (RFC 8785), which is hashed' }),
  event: Type.Optional(
    Type.Object({
      id: Type.String(),
      stream: Type.String(),
      revision: Type.Integer(),
      type: Type.String(),
      data: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
      metadata: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
    }),
  ),
  hidden: Type.Optional(
    Type.Unsafe<{ [field: string]: { salt: string } | { hash: string } }>({
      type: 'object',
      additionalProperties: {
        oneOf: [
          { type: 'object', properties: { salt: { type: 'string' } }, required: ['salt'] },
          { type: 'object', properties: { hash: { type: 'string' } }, required: ['hash'] },
        ],
      },
      description:
        'Fields of `data` that enter the leaf as SHA-256 of a salt and the canonical value: the salt, or for a key that may not see the value the hash',
    }),
  ),
  hashes: Hashes,
  checkpoint: Checkpoint,
});
const ConsistencyQuery = closed({
  from: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1] }),
  to: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [2] }),
});
export const ConsistencyProof = Type.Object({ from: Size('Older'), to: Size('Newer'), hashes: Hashes });
