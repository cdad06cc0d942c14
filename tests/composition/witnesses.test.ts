import { expect, it } from 'vitest';
import { readConfig } from '../../composition/config/config.ts';

/** Of the example in C2SP tlog-cosignature's form, made by Go. */
const KEY = 'witness.example/w+638d35df+BDhmNwGwS4P/dLqAXTirp/7SbAe7Yi1fpCEe7hTIfNWe';
const read = (given: string) => readConfig({ KNOWLEDGER_WITNESSES: given }, false).checkpoints.witnesses;

it('witnesses are read with their keys and addresses', () => {
  expect(read(`${KEY} https://witness.example/w/, ${KEY} http://127.0.0.1:8080`)).toMatchObject([
    { key: { name: 'witness.example/w', algorithm: 'cosignature' }, url: 'https://witness.example/w' },
    { url: 'http://127.0.0.1:8080' },
  ]);
});

it.each([
  KEY,
  `${KEY} witness.example`,
  `${KEY} https://witness.example/ more`,
  `${KEY.replace('638d35df', '638d35de')} https://witness.example/`,
  'log.example/a+ad57c252+Ac7vvNndZxnS89HxGiFvLsWQyoLJongf7pyq/WQYI43v https://log.example/',
])('a witness is refused that lacks a part or has a key of a log: %s', (given) => {
  expect(() => read(given)).toThrow('KNOWLEDGER_WITNESSES takes for each witness');
});
