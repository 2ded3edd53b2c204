import { describe, expect, test } from 'vitest';
import { createSignals, type Signals } from './signals.ts';

const progress = { phase: 'running tests', percentage: 40, basis: 'measured', toolCalls: 3 } as const;

function written(environment: Readonly<Record<string, string>>, act: (signals: Signals) => void): string {
  let out = '';
  act(createSignals((text) => (out += text), environment));
  return out.replaceAll('\u001b', 'ESC').replaceAll('\u0007', 'BEL');
}

describe('signals', () => {
  test('a title is put on the stack once, changed, and taken back', () => {
    expect(
      written({ TERM: 'xterm-256color' }, (signals) => {
        signals.title('one');
        signals.title('one');
        signals.title('two');
        signals.close();
      }),
    ).toBe('ESC[22;2tESC]2;oneESC\\ESC]2;twoESC\\ESC[23;2t');
  });

  test('progress goes to terminals that show it, and is taken away', () => {
    const act = (signals: Signals): void => {
      signals.progress(progress);
      signals.progress(progress);
      signals.progress({ ...progress, basis: 'estimated' });
      signals.progress({ ...progress, phase: 'waiting for your answer' });
      signals.close();
    };
    const all = 'ESC]9;4;1;40ESC\\ESC]9;4;3;0ESC\\ESC]9;4;4;40ESC\\ESC]9;4;0;0ESC\\';
    expect(written({ WT_SESSION: '1' }, act)).toBe(all);
    expect(written({ TERM_PROGRAM: 'ghostty' }, act)).toBe(all);
    expect(written({ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'T3LrMSc7UUw9Ts3BFGsSyHNoSxFP' }, act)).toBe(all);
    expect(written({ PTYXIS_VERSION: '48.1' }, act)).toBe(all);
    expect(written({ KONSOLE_VERSION: '260400' }, act)).toBe(all);
    expect(written({ TERM_PROGRAM: 'ghostty', TMUX: '/x' }, act)).toBe('');
    // These make a message of the desktop of it, or nothing.
    expect(written({ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'T3LrMSc7UUw9Ts3BFPa' }, act)).toBe('');
    expect(written({ TERM_PROGRAM: 'iTerm.app' }, act)).toBe('');
    expect(written({ PTYXIS_VERSION: '47.9' }, act)).toBe('');
    expect(written({ KONSOLE_VERSION: '251203' }, act)).toBe('');
    expect(written({ TERM: 'xterm' }, act)).toBe('');
  });

  test('a call is a bell, and a message where there are messages', () => {
    expect(written({ TERM: 'xterm' }, (signals) => signals.call('done'))).toBe('BEL');
    expect(written({ TERM: 'xterm-kitty' }, (signals) => signals.call('done'))).toBe('ESC]9;Tailrace: doneESC\\BEL');
  });

  test('a terminal that knows nothing gets nothing', () => {
    expect(
      written({ TERM: 'vt100' }, (signals) => {
        signals.title('one');
        signals.progress(progress);
        signals.close();
      }),
    ).toBe('');
  });
});
