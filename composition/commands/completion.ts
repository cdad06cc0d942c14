import { type RemoteCommand, REMOTE } from '../../adapters/cli/remote.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { HELP } from './arguments.ts';

/** The words that may follow each command: actions and options, as its help has them. */
const wordsOf = (name: string): readonly string[] => {
  const { actions = [] } = (REMOTE as Readonly<Record<string, RemoteCommand>>)[name] ?? {};
  const options = HELP[name as keyof typeof HELP].match(/(?<=[\s[])--[a-z-]+/g) ?? [];
  return [...new Set([...actions, ...options, '--help'])];
};

const SHELLS = {
  bash: (names: readonly string[]) => `_knowledger() {
  local words
  case "\${COMP_WORDS[1]}" in
${names.map((name) => `    ${name}) words="${wordsOf(name).join(' ')}" ;;`).join('\n')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="serve ${names.join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default 2>/dev/null
}
complete -F _knowledger knowledger`,
  zsh: (names: readonly string[]) => `#compdef knowledger
_knowledger() {
  if (( CURRENT == 2 )); then
    compadd serve ${names.join(' ')}
    return
  fi
  case "$words[2]" in
${names.map((name) => `    ${name}) compadd -- ${wordsOf(name).join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _knowledger knowledger`,
  fish: (names: readonly string[]) =>
    [
      `complete -c knowledger -n __fish_use_subcommand -f -a "serve ${names.join(' ')}"`,
      ...names.map(
        (name) =>
          `complete -c knowledger -n "__fish_seen_subcommand_from ${name}" -a "${wordsOf(name).join(' ')}"`,
      ),
    ].join('\n'),
} as const;

/** Prints a script for a shell that completes commands, their actions and options. */
export const printCompletion = async (
  _config: Config,
  [shell = '', ...more]: readonly string[],
): Promise<void> => {
  if (!Object.hasOwn(SHELLS, shell) || more.length > 0) throw new ConfigError(HELP.completion);
  console.log(SHELLS[shell as keyof typeof SHELLS](Object.keys(HELP)));
};
