import { describe, expect, it, vi } from 'vitest';
import { HELP, helpFor, USAGE } from '../../../composition/commands/help.ts';
import { main } from '../../../composition/main.ts';
import manifest from '../../../package.json' with { type: 'json' };

describe('the help of the program', () => {
  it('tells of each command how it is called, as a script that there is', () => {
    for (const [command, text] of Object.entries(HELP)) {
      expect(text.split('\n')[0]).toMatch(new RegExp(`^usage: npm run (-s )?${command}( |$)`));
      expect(USAGE).toMatch(new RegExp(`npm run (-s )?${command} `));
      expect(manifest.scripts).toHaveProperty([command]);
    }
  });

  it.each(Object.keys(HELP))('is told by %s instead of what it does', async (command) => {
    const told = vi.spyOn(console, 'log').mockImplementation(() => {});
    await main([command, '--help']);
    await main([command, '-h']);
    expect(told.mock.calls.flat()).toEqual([HELP[command as never], HELP[command as never]]);
    told.mockRestore();
  });

  it.each([[['--help']], [['-h']], [['help']], [['no-such-command', '--help']]])(
    'lists the commands for %j',
    (args) => expect(helpFor(args)).toBe(USAGE),
  );

  it.each([[[]], [['ingest', 'help']], [['ingest', '--', '--help']], [['tenant', 'list']]])(
    'is not asked for by %j',
    (args) => expect(helpFor(args)).toBeNull(),
  );
});
