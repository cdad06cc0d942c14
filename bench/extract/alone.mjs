// Reads documents in this process, one after the other, as the reader does without a process of its own.
import { extractFile } from '../../composition/document-reader.ts';

const readAll = async (requests) => {
  const begun = performance.now();
  const outcomes = [];
  for (const request of requests) outcomes.push(await extractFile(request));
  const ms = performance.now() - begun;
  const chunks = outcomes.map((outcome) =>
    outcome.kind === 'document' ? outcome.chunkSet.chunks.length : -1,
  );
  process.send({ ms, chunks });
};

process.on('message', (requests) => void readAll(requests));
