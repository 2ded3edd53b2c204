// The same words for three shells. All of them are in the script, so that nothing is started when somebody presses Tab.

import type { CommandWord } from './words.ts';
import { PIPED, VALUES } from './words.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

export function completionScript(shell: Shell, commands: readonly CommandWord[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function bash(commands: readonly CommandWord[]): string {
  return `# eval "$(tailrace completion bash)"
_tailrace() {
  local current=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  [[ $command == -* ]] && command=${PIPED}
  if ((COMP_CWORD == 1)) && [[ $current != -* || $current == --[hv]* ]]; then
    words=${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}
  else
    case \${COMP_WORDS[COMP_CWORD-1]} in
${Object.entries(VALUES)
  .map(
    ([name, values]) => `    ${name}) COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$current")); return ;;`,
  )
  .join('\n')}
    esac
    case $command:$current in
${commands
  .flatMap(({ name, options, choices }) => [
    ...(options.length > 0 ? [`    ${name}:-*) words=${quoted(options.map((one) => one.name).join(' '))} ;;`] : []),
    ...(choices.length > 0 ? [`    ${name}:*) words=${quoted(choices.join(' '))} ;;`] : []),
  ])
  .join('\n')}
    esac
  fi
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _tailrace tailrace
`;
}

function zsh(commands: readonly CommandWord[]): string {
  const described = ({ name, about }: { readonly name: string; readonly about: string }): string =>
    quoted(about === '' ? name : `${name}:${about}`);
  return `#compdef tailrace
# eval "$(tailrace completion zsh)"
_tailrace() {
  local -a found
  local command=$words[2]
  [[ $command == -* ]] && command=${PIPED}
  if ((CURRENT == 2)) && [[ $PREFIX != -* || $PREFIX == --[hv]* ]]; then
    found=(${commands.map(described).join(' ')} '--help' '--version')
    _describe command found
    return
  fi
  case $words[CURRENT-1] in
${Object.entries(VALUES)
  .map(([name, values]) => `    (${name}) compadd -- ${values.join(' ')}; return ;;`)
  .join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    case $command in
${commands
  .filter(({ options }) => options.length > 0)
  .map(({ name, options }) => `      (${name}) found=(${options.map(described).join(' ')}) ;;`)
  .join('\n')}
    esac
    _describe option found
    return
  fi
  case $command in
${commands
  .filter(({ choices }) => choices.length > 0)
  .map(({ name, choices }) => `    (${name}) compadd -- ${choices.join(' ')} ;;`)
  .join('\n')}
    (*) _files ;;
  esac
}
compdef _tailrace tailrace
`;
}

function fish(commands: readonly CommandWord[]): string {
  const about = (text: string): string => (text === '' ? '' : ` -d ${quoted(text)}`);
  const lines = commands.flatMap((command) => {
    const behind = `complete -c tailrace -n '__fish_seen_subcommand_from ${command.name}'`;
    const places = command.name === PIPED ? [behind, 'complete -c tailrace -n __fish_use_subcommand'] : [behind];
    return [
      `complete -c tailrace -n __fish_use_subcommand -f -a ${command.name}${about(command.about)}`,
      ...(command.choices.length > 0 ? [`${behind} -f -a ${quoted(command.choices.join(' '))}`] : []),
      ...places.flatMap((place) =>
        command.options.map(({ name, about: text }) => {
          const values = VALUES[name] ? ` -x -a ${quoted(VALUES[name].join(' '))}` : '';
          return `${place} -l ${name.slice(2)}${values}${about(text)}`;
        }),
      ),
    ];
  });
  return `# tailrace completion fish | source\n${lines.join('\n')}\n`;
}

/** As one word of a shell: nothing in it means anything. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
