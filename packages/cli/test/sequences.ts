// What steers a terminal: known sequences, and random ones made of the same parts.

import fc from 'fast-check';

const ESC = '\u001b';
const ST = `${ESC}\\`;

/** Control sequences by what stands behind `ESC [`. */
const CSI = [
  '2J', '3J', '1J', 'H', '5;5H', '10A', '10B', '10C', '10D', '1E', '1F', '20G', '2K', '5L', '5M', '5P', '5S', '5T', '5X', '5Z', '5@',
  '3;5r', 's', 'u', '5d', '3g', '0c', '>c', '5n', '6n', '?6n', '4h', '20h', '?1h', '?3h', '?5h', '?6h', '?7l', '?25l', '?47h',
  '?1047h', '?1048h', '?1049h', '?1000h', '?1002h', '?1003h', '?1004h', '?1006h', '?2004h', '?2026h', '!p', '1 q', '8;3;3t', '2t',
  '22;0t', '23;0t', '21t', '>4;1m', '>1u', '=1u', '38;5;9m', '7m', '8m', '0m', '4:3m', '5i', '1;1$r', '?69h', '5"p', '0$}',
]; // biome-ignore format: a table

const STRINGS = [
  ']0;pwned', ']1;pwned', ']2;pwned', ']4;1;#ff0000', ']7;file:///etc', ']8;;http://evil.example', ']9;pwned', ']9;4;1;50', ']10;#000',
  ']11;#000', ']12;#000', ']52;c;cHduZWQ=', ']52;c;?', ']104', ']133;A', ']777;notify;a;b', ']1337;SetMark', ']1337;File=:AAAA',
  'Pq#0;2;0;0;0', 'P$q"p', 'P+q544e', 'Ptmux;x', '_Gf=24;AAAA', '_pwned', '^pwned', 'Xpwned',
]; // biome-ignore format: a table

const SHORT = [
  'c',
  '7',
  '8',
  'D',
  'E',
  'H',
  'M',
  'N',
  'O',
  'Z',
  '=',
  '>',
  '#8',
  '#3',
  '(0',
  ')0',
  '*0',
  '(B',
  '%G',
  '%@',
  ' F',
  'l',
  'n',
  '|',
];

const SINGLE = [
  0, 1, 5, 7, 8, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x11, 0x13, 0x18, 0x1a, 0x1b, 0x7f, 0x84, 0x85, 0x88, 0x8d, 0x8e, 0x8f,
  0x90, 0x9a, 0x9b, 0x9c, 0x9d,
];

/** The same intro in one character, as terminals with eight bits have it. */
const EIGHT_BITS: Readonly<Record<string, string>> = {
  ']': '\u009d',
  P: '\u0090',
  _: '\u009f',
  '^': '\u009e',
  X: '\u0098',
};

export const knownSequences: readonly string[] = [
  ...CSI.flatMap((rest) => [`${ESC}[${rest}`, `\u009b${rest}`]),
  ...STRINGS.flatMap((rest) => [
    `${ESC}${rest}\u0007`,
    `${ESC}${rest}${ST}`,
    `${EIGHT_BITS[rest.charAt(0)] ?? ''}${rest.slice(1)}\u009c`,
    `${ESC}${rest}`,
  ]),
  ...SHORT.map((rest) => `${ESC}${rest}`),
  ...SINGLE.map((code) => String.fromCharCode(code)),
];

const part = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...knownSequences) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ESC,
      '\u009b',
      '\u009d',
      '\u0090',
      '\u009c',
      `${ESC}[`,
      `${ESC}]`,
      ST,
      '\u0007',
      '\u0018',
    ),
  },
  { weight: 2, arbitrary: fc.string({ maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '*',
      '`',
      '```\n',
      '# ',
      '- ',
      '|a|b|\n|-|-|\n',
      '[x](',
      '> ',
      '\n',
      '\n\n',
      '&#27;',
      '<b>',
      '\t',
    ),
  },
);

/** Whole ones, halves of them, and text and Markdown between. */
export const anySequence: fc.Arbitrary<string> = fc
  .array(part, { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));
