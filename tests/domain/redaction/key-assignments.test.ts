import { describe, expect, it } from 'vitest';
import { keyDetector } from '../../../domain/redaction/detectors/key.ts';

const found = (text: string): readonly string[] =>
  keyDetector.find(text, 0).map(({ start, end }) => text.slice(start, end));

describe('a value behind the name of a secret', () => {
  it.each(
    `pass password passwd passphrase passwort passcode pwd pw kennwort contraseña PASSWORD db.password DB_USER_PW
    my-app_user.password`
      .split(/\s+/)
      .map((name) => [name] as const),
  )('is found where the name is of a password: %s', (name) => {
    expect(found(`${name}=ab1c`)).toEqual(['ab1c']);
    expect(found(`x${name}=ab1c`)).toEqual(/[._-]/.test(name) ? ['ab1c'] : []);
  });

  it.each(
    `key token secret api_key apikey access-key auth.token secretKey private_key encryption_key signing_secret
    account_key client_secret APP_CLIENT_SECRET`
      .split(/\s+/)
      .map((name) => [name] as const),
  )('is found where the name is of a key: %s', (name) => {
    expect(found(`${name}=a1b2c3d4`)).toEqual(['a1b2c3d4']);
    expect(found(`x${name}=a1b2c3d4`)).toEqual(/[._-]/.test(name) ? ['a1b2c3d4'] : []);
  });

  it.each([
    ['pw=ab1c', 'ab1c'],
    ['pw := ab1c', 'ab1c'],
    ['pw => ab1c', 'ab1c'],
    ['pw  :  ab1c', 'ab1c'],
    ['pw   : ab1c'],
    ['pw :   ab1c'],
    ['"pw": "ab1c"', 'ab1c'],
    ["'pw': 'ab1c'", 'ab1c'],
    ['The pw is ab1c, now', 'ab1c'],
    ['Das pw ist ab1c', 'ab1c'],
    ['Das pw lautet ab1c', 'ab1c'],
    ['pw was ab1c'],
    ['pw isab1c'],
    ['"pw" is ab1c'],
    ['pw ab1c'],
  ])('stands behind a sign or a word: %s', (text, ...values) => {
    expect(found(text)).toEqual(values);
  });

  it.each([
    ['pw=ab1.', false],
    ['pw=$1234', false],
    ['pw=1234$', false],
    ['pw=1234', true],
    ['pw=abcd', false],
    ['pw=ab!c', true],
    [`pw=${'a'.repeat(256)}1`, false],
    ['token=a1b2c3d', false],
    ['token=ab1234cd', false],
    ['key: item.a1b2c3', false],
    ['key: -item.a1b2c3', true],
  ])('is told from what is none: %s', (text, is) => {
    expect(found(text)).toHaveLength(is ? 1 : 0);
  });

  it('is found from where the looking begins, though its name stands before', () => {
    const text = 'pw=ab1c pw=de2f';
    expect(keyDetector.find(text, 3)).toHaveLength(2);
    expect(keyDetector.find(text, 4)).toEqual([{ start: 11, end: 15 }]);
    expect(keyDetector.find('Bearer a1b2c3d4', 7)).toEqual([{ start: 7, end: 15 }]);
    expect(keyDetector.find('Bearer a1b2c3d4', 8)).toEqual([]);
  });
});

describe('what a scheme or a URL says to be secret', () => {
  it.each([
    ['db://me:abc@host', 'abc'],
    ['db://:abc@host', 'abc'],
    ['postgres+x.y-2://me:a-b.c@host', 'a-b.c'],
    ['db://me:ab@host'],
    [`db://me:${'a-'.repeat(64)}@host`, 'a-'.repeat(64)],
    [`db://me:${'a-'.repeat(64)}b@host`],
    [`db://${'m'.repeat(64)}:abc@host`, 'abc'],
    [`db://${'m'.repeat(65)}:abc@host`],
    ['d://me:abc@host'],
    ['2://me:abc@host'],
    ['db:/me:abc@host'],
    ['db://m e:abc@host'],
    ['db://me:abc/@host'],
    ['db://host:8080/me@x'],
    ['db://me:xxxy@host', 'xxxy'],
    ['db://me:yxxx@host', 'yxxx'],
    ['db://me:a**@host', 'a**'],
    ['db://me:mysecret@host', 'mysecret'],
    ['db://me:secrets@host', 'secrets'],
    ['db://a:abc@host db://b:def@host', 'abc', 'def'],
  ])('is the password before the host: %s', (text, ...values) => {
    expect(found(text)).toEqual(values);
  });

  it.each(
    'pass password passwd pwd secret required string null true false undefined xxx XXXX *** $PASS %PASS%'.split(
      ' ',
    ),
  )('is none where this stands in its place: %s', (word) => {
    expect(found(`db://me:${word}@host`)).toEqual([]);
  });
});
