// Many clients that search over HTTP, each request after the other, whenever it is told to.
import autocannon from 'autocannon';

const load = async ({ base, requests, clients, ms }) => {
  const result = await autocannon({
    url: base,
    requests,
    connections: clients,
    duration: ms / 1000,
    sampleInt: 50,
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  process.send({ perSecond: result['2xx'] / result.duration, failed });
};

process.on('message', (message) => void load(message));
process.on('disconnect', () => process.exit());
