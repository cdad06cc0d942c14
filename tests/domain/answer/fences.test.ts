import { describe, expect, it } from 'vitest';
import { fencedIn } from '../../../domain/answer/units.ts';

const fenced = (text: string) => fencedIn(text).map(([from, to]) => text.slice(from, to));

describe('code between fences', () => {
  it.each([
    ['a\n```\nb\n```\nc', '```\nb\n```'],
    ['```js\nb\n```', '```js\nb\n```'],
    ['  ```  \nb\n ``` \nc', '  ```  \nb\n ``` '],
    ['~~~\n```\n~~~\n```\nb\n```', '~~~\n```\n~~~', '```\nb\n```'],
    ['```\na\n```\nb\n```\nc\n```', '```\na\n```', '```\nc\n```'],
    ['```\n```', '```\n```'],
    ['```\na'],
    ['```\na\n~~~'],
    ['```\na\n```js'],
    ['`` \na\n``'],
    ['a ```\nb\n```'],
    [''],
  ])('goes from one to the next of its kind: %j', (text, ...found) => {
    expect(fenced(text)).toEqual(found);
  });
});
