import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../../domain/answer/sentences.ts';

const textsOf = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);

describe('sentences with code in them', () => {
  it.each([
    ['debian/rules must start with the line #!/usr/bin/make -f, so that it runs.', 1],
    ['Build-Depends: foo [!i386] | bar [!amd64] is a field.', 1],
    ['The line f = @(x) x.^2 makes a function.', 1],
    ['For example if a ".LINE" is found, it stops. So it ends.', 2],
    ['For example a .LINE stops it.', 1],
    ['Write redirect location / if ! { ssl_fc } in it.', 1],
    ['The sign "!" Matches nothing, and \'?\' One character.', 1],
    ['Use a name, e.g. /FOO or i.e. Bar.', 1],
    ['It ends!Then it goes on.', 1],
  ])('do not end at marks of it: %j', (text, count) => {
    expect(textsOf(text)).toHaveLength(count);
  });

  it.each([
    ['It ends (so!) Next.', 2],
    ['It ends?! Next it goes on.', 2],
    ['"It ends!" Next.', 2],
    ['It ends.[3] Next.', 2],
    ['終わり!次の文。', 2],
    ['Attention ! Le fichier manque.', 2],
  ])('still end at marks of their own: %j', (text, count) => {
    expect(textsOf(text)).toHaveLength(count);
  });

  it('leave out the number of a note behind a statement', () => {
    expect(textsOf('It must be so. 14')).toEqual(['It must be so.']);
    expect(textsOf('It must be so. Or so. 14')).toEqual(['It must be so.', 'Or so.']);
    expect(textsOf('14')).toEqual(['14']);
    expect(textsOf('How many are there? 100')).toEqual(['How many are there?', '100']);
    expect(textsOf('It must be so.\n14')).toEqual(['It must be so.', '14']);
  });
});

describe('the sign behind a term', () => {
  it('is no part of a quotation', () => {
    expect(textsOf(': loglog (y) ¶\n\nPlots. The sign ¶ stays.')).toEqual([
      ': loglog (y)',
      'Plots.',
      'The sign ¶ stays.',
    ]);
  });
});

describe('lines of code and of prose', () => {
  it('stay apart where they are code', () => {
    const code =
      'CFLAGS_OF_THE_PACKAGE += -O2 -Wall and others\nendif\nifneq (,$(filter noopt,$(DEB_BUILD_OPTIONS)))\nelse';
    expect(textsOf(code)).toEqual(code.split('\n'));
    const block = 'server example_of_a_long_name_of_one { {\nlisten on it;\nnext';
    expect(textsOf(block)).toEqual(block.split('\n'));
  });

  it('go on where they are indented prose', () => {
    const text =
      '  clf    reads the log of another program, which only supports that format and which is not\n         extensible. It is the format that most\n         programs know.';
    expect(textsOf(text)).toEqual([
      'clf reads the log of another program, which only supports that format and which is not extensible.',
      'It is the format that most',
      'programs know.',
    ]);
    expect(
      textsOf(
        '  To delete more than one of these files, specify the\n  Postfix option once for each of these files.',
      ),
    ).toHaveLength(1);
  });

  it.each([
    '  alias mkdir_of_all_the_people nocorrect mkdir = x\n  alias next',
    '  the first line is prose, and long enough to be wrapped.\n  next',
    '  the first line is prose, and long enough to be wrapped\n  - next',
    '  a_long_command_of_one_program --with_an_option\n  next',
    '  the first line is prose, and long enough to be wrapped\n  Next',
  ])('are not taken for it: %j', (text) => {
    expect(textsOf(text)).toHaveLength(2);
  });
});
