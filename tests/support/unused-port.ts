import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what Linux, macOS and Windows give to whoever asks for any port. */
const [FROM, TO] = [20_000, 32_000];

/**
 * A port of 127.0.0.1 on which nothing listens, and which no server that asks for any port is given meanwhile: as one
 * that was free a moment ago would be, by another of the tests that run beside this one.
 */
export const unusedPort = async (): Promise<number> => {
  const port = randomInt(FROM, TO);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return unusedPort();
  await new Promise((resolve) => server.close(resolve));
  return port;
};
