// The view from its beginning to its end: a server, a client, a screen, and everything as it was.

import { TailraceProvider } from '@tailrace/client/react';
import { render } from 'ink';
import { messageOf } from '../failure.ts';
import { openLog } from '../log.ts';
import { STOPPED } from '../serve/until-told.ts';
import { App } from './app.tsx';
import { connect } from './connect/own-server.ts';
import { createFrameWriter } from './frame-writer.ts';
import { layoutEngine } from './layout-engine.ts';
import { copyText, enterScreen, ringBell } from './terminal.ts';

/** Shows the view until somebody leaves it; gives the exit code. */
export async function startView(version: string): Promise<number> {
  const log = openLog();
  const connected = await connect({ version, warn: (message) => log('warn', { message }) });
  const { client, url, serving, codes } = connected;
  await layoutEngine;
  const terminal = enterScreen();
  let end = (_code: number): void => {};
  const left = new Promise<number>((resolve) => {
    end = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.removeAllListeners(signal).on(signal, () => end(STOPPED));
  process.stdin.once('end', () => end(0));

  const frames = createFrameWriter(process.stdout);
  const screen = render(
    <TailraceProvider client={client}>
      <App
        url={url}
        codes={codes}
        isOwnServer={serving !== undefined}
        warning={() => {
          const count = serving?.server.counts.runs ?? 0;
          return count === 0
            ? undefined
            : `${count === 1 ? 'A run that was' : `${count} runs that were`} started from this server would end with it.`;
        }}
        onLeave={end}
        onCopy={copyText}
        onRing={ringBell}
      />
    </TailraceProvider>,
    { stdout: frames.stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  let problem: unknown;
  const failed = serving?.failed.catch((error: unknown) => {
    problem = error;
    return 1;
  });
  const result = await Promise.race([left, ...(failed ? [failed] : [])]);
  frames.stop();
  screen.unmount();
  terminal.leave();
  client.close();
  await serving?.stop();
  if (problem !== undefined) throw new Error(`the server of the view has ended: ${messageOf(problem)}`);
  return result;
}
