import { expect, it } from 'vitest';
import { cardDetector } from '../../../domain/redaction/detectors/card.ts';

it.each([
  ['in 2024 4111111111111111', '4111111111111111'],
  ['6011000990139424,30569309025904', '6011000990139424', '30569309025904'],
  ['4222222222222', '4222222222222'],
  ['411111111117'],
  ['41111111111111111111'],
  ['4111 1111 1111 1112'],
  ['1234567812345670'],
  ['Visa4111111111111111, ab4111111111111111', '4111111111111111'],
  ['4111\n1111\n1111\n1111'],
  ['in 2024 6011_3052_1456_0002', '6011_3052_1456_0002'],
  ['AL35 2021 1109 0000 0000 0123 4567'],
])('a card number has 13 to 19 figures with a check digit, and stands alone: %j', (text, ...numbers) => {
  const found = cardDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(numbers);
});
