// A server that does nothing but write the files of a form to disk, as busboy gives them: node bare-server.mjs <folder>
// [flush]. With `flush` it waits for the disk to have each file for certain.
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';

const [folder, flush] = process.argv.slice(2);
let forms = 0;
const server = createServer((req, res) => {
  forms += 1;
  let files = 0;
  const writing = [];
  const parser = busboy({ headers: req.headers, limits: { files: 2_000 } });
  parser.on('file', (_name, body) => {
    files += 1;
    writing.push(
      pipeline(body, createWriteStream(join(folder, `${forms}-${files}`), { flush: flush === 'flush' })),
    );
  });
  pipeline(req, parser)
    .then(() => Promise.all(writing))
    .then(
      () => res.end(JSON.stringify({ files })),
      (error) => res.writeHead(500).end(String(error)),
    );
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
