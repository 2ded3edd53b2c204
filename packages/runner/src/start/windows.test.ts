import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { isTailraceError } from './errors.ts';
import { isBatchFile, planWindows, readShim, type WindowsFiles } from './windows.ts';

const FOLDER = 'C:\\Users\\dev\\npm';
const SHIM = `${FOLDER}\\agent.cmd`;
const NODE = 'C:\\Program Files\\nodejs\\node.exe';
const crlf = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

const HEAD = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'SETLOCAL',
  'CALL :find_dp0',
];
const NODE_CHOICE = [
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ') ELSE (',
  '  SET "_prog=node"',
  '  SET PATHEXT=%PATHEXT:;.JS;=;%',
  ')',
];
const LEAP = 'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & ';
const SHIMS = {
  npmProgram: crlf(...HEAD, '"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*'),
  npmProgramNewer: crlf(...HEAD, `${LEAP}"%dp0%\\node_modules\\claude-code\\bin\\claude.exe"   %*`),
  npmScript: crlf(
    ...HEAD,
    '',
    ...NODE_CHOICE,
    '',
    `${LEAP}"%_prog%"  "%dp0%\\node_modules\\@openai\\codex\\bin\\codex.js" %*`,
  ),
  npmScriptNewest: crlf(
    ...HEAD,
    ...NODE_CHOICE.slice(0, 4),
    ')',
    `${LEAP}set PATHEXT=%PATHEXT:;.JS;=;% & "%_prog%"  "%dp0%\\..\\tool\\bin\\tool.mjs" %*`,
  ),
  npmOld: crlf(
    '@IF EXIST "%~dp0\\node.exe" (',
    '  "%~dp0\\node.exe"  "%~dp0\\node_modules\\x\\cli.js" %*',
    ') ELSE (',
    '  @SETLOCAL',
    '  @SET PATHEXT=%PATHEXT:;.JS;=;%',
    '  node  "%~dp0\\node_modules\\x\\cli.js" %*',
    ')',
  ),
  pnpm: crlf(
    '@SETLOCAL',
    '@IF NOT DEFINED NODE_PATH (',
    '  @SET "NODE_PATH=C:\\pnpm\\global\\node_modules"',
    ') ELSE (',
    '  @SET "NODE_PATH=C:\\pnpm\\global\\node_modules;%NODE_PATH%"',
    ')',
    '@IF EXIST "%~dp0\\node.exe" (',
    '  "%~dp0\\node.exe"  "%~dp0\\global\\5\\node_modules\\x\\cli.js" %*',
    ') ELSE (',
    '  @SET PATHEXT=%PATHEXT:;.JS;=;%',
    '  node  "%~dp0\\global\\5\\node_modules\\x\\cli.js" %*',
    ')',
  ),
  pnpmProgram: crlf('@SETLOCAL', '@"%~dp0\\global\\5\\node_modules\\x\\bin\\x.exe"   %*'),
  yarn: crlf(
    '@SETLOCAL',
    '@SET PATHEXT=%PATHEXT:;.JS;=;%',
    '@node  "%~dp0\\..\\Yarn\\Data\\global\\node_modules\\x\\cli.js" %*',
  ),
  ownWrapper: crlf('@echo off', 'set KEY=1', '"C:\\tools\\claude.exe" --verbose %*'),
  npmItself: crlf('@ECHO OFF', 'SET "NODE_EXE=%~dp0\\node.exe"', '"%NODE_EXE%" "%NPM_CLI_JS%" %*'),
  twoPrograms: crlf('"%~dp0\\a.exe" %*', '"%~dp0\\b.exe" %*'),
  otherVariable: crlf('"%dp0%\\%WHICH%\\a.exe" %*'),
  toBatch: crlf('"%~dp0\\b.cmd" %*'),
  flags: crlf('node --inspect "%~dp0\\a.js" %*'),
  remark: crlf('REM "%~dp0\\a.exe" %*', ':: "%~dp0\\a.exe" %*'),
  empty: '',
};

describe('[T-14] the program behind a shim', () => {
  const script = (path: string) => ({ programs: [`${FOLDER}\\node.exe`, 'node'], args: [path] });
  const program = (path: string) => ({ programs: [path], args: [] });
  test.each([
    ['npmProgram', program(`${FOLDER}\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe`)],
    ['npmProgramNewer', program(`${FOLDER}\\node_modules\\claude-code\\bin\\claude.exe`)],
    ['npmScript', script(`${FOLDER}\\node_modules\\@openai\\codex\\bin\\codex.js`)],
    ['npmScriptNewest', script('C:\\Users\\dev\\tool\\bin\\tool.mjs')],
    ['npmOld', script(`${FOLDER}\\node_modules\\x\\cli.js`)],
    ['pnpm', script(`${FOLDER}\\global\\5\\node_modules\\x\\cli.js`)],
    ['pnpmProgram', program(`${FOLDER}\\global\\5\\node_modules\\x\\bin\\x.exe`)],
    ['yarn', script('C:\\Users\\dev\\Yarn\\Data\\global\\node_modules\\x\\cli.js')],
    ['ownWrapper', undefined],
    ['npmItself', undefined],
    ['twoPrograms', undefined],
    ['otherVariable', undefined],
    ['toBatch', undefined],
    ['flags', undefined],
    ['remark', undefined],
    ['empty', undefined],
  ] as const)('of the form %s', (form, expected) => {
    expect(readShim(SHIMS[form], FOLDER)).toEqual(expected);
  });
});

describe('[T-14] a batch file is known', () => {
  test.each([
    ['claude.cmd', true],
    ['claude.CMD', true],
    ['claude.Bat', true],
    ['claude.bat.', true],
    ['claude.cmd. . ', true],
    ['C:\\a.b\\claude.cMd', true],
    ['C:/npm/claude.cmd', true],
    ['claude.cmd::$DATA', true],
    ['C:claude.bat', true],
    ['claude.exe', false],
    ['claude', false],
    ['C:\\a.cmd\\claude', false],
    ['claude.cmd.exe', false],
    ['claudecmd', false],
  ])('%j: %j', (file, expected) => {
    expect(isBatchFile(file)).toBe(expected);
  });
});

function machine(files: Readonly<Record<string, string>>, node: string | undefined = NODE): WindowsFiles {
  return {
    read: (file) => files[file],
    exists: (file) => Object.hasOwn(files, file),
    find: (program) => (program === 'node' ? node : undefined),
    processor: 'C:\\Windows\\System32\\cmd.exe',
  };
}

function plan(file: string, args: readonly string[], files = machine({})) {
  try {
    return planWindows(file, args, files);
  } catch (error) {
    return isTailraceError(error) ? error.code : error;
  }
}

const HOSTILE = ['%PATH%', '^', 'a&calc', 'a|b', '<in', '>out', 'a"b', '!x!', 'a\nb', 'a\r', '\u0000', '\u001a'];

describe('[T-14] what is started', () => {
  test.each([...HOSTILE, '', 'plain', 'C:\\dir with space\\'])('a real program gets %j as it is', (argument) => {
    expect(plan('C:\\claude.exe', [argument])).toEqual({ file: 'C:\\claude.exe', args: [argument] });
  });

  test('the program behind a shim, with every argument as it is', () => {
    const real = `${FOLDER}\\node_modules\\claude-code\\bin\\claude.exe`;
    const files = machine({ [SHIM]: SHIMS.npmProgramNewer, [real]: '' });
    expect(plan(SHIM, HOSTILE, files)).toEqual({ file: real, args: HOSTILE });
  });

  test('Node beside the shim, or else the one in PATH, with the script', () => {
    const js = `${FOLDER}\\node_modules\\x\\cli.js`;
    const beside = `${FOLDER}\\node.exe`;
    expect(plan(SHIM, ['%A%'], machine({ [SHIM]: SHIMS.npmOld, [beside]: '' }))).toEqual({
      file: beside,
      args: [js, '%A%'],
    });
    expect(plan(SHIM, ['%A%'], machine({ [SHIM]: SHIMS.npmOld }))).toEqual({ file: NODE, args: [js, '%A%'] });
  });

  test.each([
    ['the program behind the shim is gone', machine({ [SHIM]: SHIMS.npmProgram })],
    ['there is no Node', machine({ [SHIM]: SHIMS.npmOld }, 'C:\\shims\\node.CMD')],
    ['it is not a shim', machine({ [SHIM]: SHIMS.ownWrapper })],
    ['it cannot be read', machine({})],
  ])('nothing with a dangerous argument when %s', (_, files) => {
    for (const argument of HOSTILE) expect(plan(SHIM, ['good', argument], files)).toBe('argument-refused');
    expect(plan(SHIM, ['--print', '--model=opus', 'C:\\a b\\'], files)).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/s', '/v:off', '/c', `""${SHIM}" "--print" "--model=opus" "C:\\a b\\\\""`],
      isVerbatim: true,
    });
  });

  test('nothing whose own path is dangerous', () => {
    expect(plan('C:\\R&D\\agent.cmd', [])).toBe('argument-refused');
    expect(plan('C:\\100%\\agent.BAT ', [])).toBe('argument-refused');
  });

  test('never a line with something to act upon, whatever the arguments are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (args) => {
        const planned = plan(SHIM, args);
        if (typeof planned === 'string') expect(args.some((one) => /[%^&<>|"!\p{Cc}]/u.test(one))).toBe(true);
        else expect((planned as { args: string[] }).args.at(-1)?.replaceAll('"', '')).not.toMatch(/[%^&<>|!\n\r\0]/);
      }),
      { numRuns: counts.runs },
    );
  });
});

test('[T-26] the patterns take no longer than the text is long', () => {
  const long = 200_000;
  for (const text of [
    `"%dp0%\\${'a.exe'.repeat(long)}`,
    `node ${' '.repeat(long)}x %*`,
    `"%~dp0${'\\'.repeat(long)}" %*`,
  ]) {
    const began = performance.now();
    readShim(text, FOLDER);
    isBatchFile(`${'.'.repeat(long)}x`);
    isBatchFile(`${' .'.repeat(long)}x`);
    plan(SHIM, [`${'\\'.repeat(long)}x`]);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
});
