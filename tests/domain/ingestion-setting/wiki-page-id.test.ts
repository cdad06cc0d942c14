import { expect, it } from 'vitest';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';

const ID = '1f0c3a5e-7b9d-4c2a-8e6f-0123456789ab';
const DIGITS = ID.replaceAll('-', '');
const OTHER = 'f'.repeat(32);

it.each([
  ID,
  ID.toUpperCase(),
  DIGITS,
  ` ${DIGITS}\n`,
  `https://www.notion.so/${DIGITS}`,
  `https://www.notion.so/acme/The-plan-${DIGITS}?pvs=4#${OTHER}`,
  `https://app.notion.com/p/acme/The-plan-${DIGITS}/`,
  `https://acme.notion.site/${ID}`,
  `http://wiki.example:8080/Plan-${DIGITS.toUpperCase()}?v=${OTHER}`,
  `https://www.notion.so/acme/${OTHER}?v=${OTHER}&p=${DIGITS}&pm=s`,
  `https://www.notion.so/acme/${OTHER}?p=${DIGITS.toUpperCase()}`,
])('the id of a page is found in %j', (written) => {
  expect(wikiPageId(written)).toBe(ID);
});

it.each([
  '',
  'home',
  DIGITS.slice(1),
  `${DIGITS}0`,
  `g${DIGITS.slice(1)}`,
  `${ID.slice(0, 8)}${ID.slice(9)}`,
  'https://www.notion.so/acme/The-plan',
  `https://www.notion.so/acme/x${DIGITS}`,
  `https://www.notion.so/acme#${DIGITS}`,
  `see https://www.notion.so/${DIGITS}`,
  `ftp://www.notion.so/${DIGITS}`,
  `https://www.notion.so/?q=${DIGITS}`,
])('no id of a page is found in %j', (written) => {
  expect(wikiPageId(written)).toBeNull();
});
