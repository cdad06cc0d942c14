// Sends GET requests over many connections, each asking for one path after another, whenever it is told to.
import autocannon from 'autocannon';

const load = async ({ base, paths, headers, connections, seconds }) => {
  const { origin, pathname } = new URL(base);
  const requests = paths.map((path) => ({ method: 'GET', path: pathname.replace(/\/$/, '') + path }));
  const options = { url: origin, requests, headers, connections, duration: seconds, sampleInt: 50 };
  const result = await autocannon(options);
  const failed = result.non2xx + result.errors + result.timeouts;
  process.send({ perSecond: result['2xx'] / result.duration, failed });
};

process.on('message', (message) => void load(message));
process.on('disconnect', () => process.exit());
