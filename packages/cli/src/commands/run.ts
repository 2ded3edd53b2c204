import { randomUUID } from 'node:crypto';
import { createLedger, createSummary } from '@tailrace/core';
import { createTrust, type Run, type RunResult, startRun } from '@tailrace/runner';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { openKeeper } from '../history/keep.ts';
import { dataFolder } from '../home.ts';
import { readBytes } from '../input/read.ts';
import { openLog } from '../log.ts';
import { estimateOf } from '../printer/estimate.ts';
import { tellPlainly } from '../printer/hidden.ts';
import { createMarkdown } from '../printer/markdown.ts';
import { createPalette } from '../printer/palette.ts';
import { loadPrices } from '../printer/prices.ts';
import { createPrinter } from '../printer/printer.ts';
import { createRegion } from '../printer/region.ts';
import { closingLines } from '../printer/report.ts';
import { QUIET_MS, screenWidth } from '../printer/screen.ts';
import { callOn } from '../printer/signals.ts';
import { converse } from '../run/converse.ts';
import { onInterrupts } from '../run/interrupts.ts';
import { createKeyboard } from '../run/keyboard.ts';
import { parseRunWords } from '../run/options.ts';
import { askForTrust } from '../run/trust.ts';
import { describeState } from '../run/words.ts';

/** `tailrace run`: starts an agent, shows it live, and lets the person answer it. */
export const command: Command = async (words) => {
  const wanted = parseRunWords(words);
  const prompt = wanted.prompt ?? (await readPrompt());
  if (prompt.trim() === '') throw new UsageError('the prompt is empty');
  const palette = createPalette(wanted.plain ? false : undefined);
  // Somebody is there to be asked when both ends are a terminal, and nobody reads the output as data.
  const isAttended = !wanted.json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (wanted.chat && !isAttended) throw new UsageError('--chat needs a terminal: nobody is there to go on talking');
  const isLive = isAttended && !wanted.plain;
  const screen = createRegion(process.stdout, isLive, palette.dim);
  const ledger = createLedger();
  const printer = createPrinter(palette, {
    redact: wanted.redact,
    full: wanted.full,
    only: wanted.only,
    markdown: wanted.plain ? undefined : createMarkdown(palette),
    spent: (taskId) => ledger.subagents().get(taskId),
    now: isLive ? Date.now : undefined,
  });
  const summary = createSummary({ ledger });
  const interrupts = onInterrupts();
  const keyboard = createKeyboard(process.stdin, process.stdout, interrupts.press);
  let lines = 0;
  let quiet: NodeJS.Timeout | undefined;
  const id = randomUUID();
  const log = openLog();
  log('info', { message: 'a run is started', facts: { runId: id, agent: wanted.agent.name }, content: prompt });
  const warn = (message: string): void => {
    log('warn', { message, facts: { runId: id } });
    process.stderr.write(`tailrace: ${tellPlainly(message)}\n`);
  };
  const settle = (): void => {
    const text = printer.endLine();
    screen.live(printer.live());
    screen.write(text);
  };
  /** Events go to whoever reads them, and no bell among them. */
  const callPerson = (text: string): void => {
    if (wanted.notify) callOn(wanted.json ? [process.stderr] : [process.stdout, process.stderr], text);
  };
  const keeper = await openKeeper({ runId: id, agent: wanted.agent.name, warn });

  const run = await startRun({
    ...wanted.start,
    id,
    agent: wanted.agent,
    prompt,
    asks: isAttended && wanted.agent.input !== undefined,
    conversation: wanted.chat,
    forbid: [dataFolder()],
    trust: (look) => askForTrust(look, { wanted, trust: trustList(), palette, ...(isAttended && { keyboard }) }),
    onLines: (rows) => {
      lines += rows.filter(({ source }) => source === 'stdout').length;
      const kept = keeper?.keep(rows);
      // Whoever reads us slowly makes the agent wait, and so does a disk that is far behind.
      return process.stdout.writableNeedDrain ? drained() : kept;
    },
    onEvents: (events) => {
      let text = '';
      clearTimeout(quiet);
      for (const event of events) {
        summary.add(event);
        keeper?.hear(event);
        if (ASKED.has(event.type)) callPerson('waiting for you');
        if (wanted.json) text += `${JSON.stringify(event)}\n`;
        // What is asked here is shown by whoever asks it.
        else if (!wanted.quiet && !(isAttended && ASKED.has(event.type))) text += printer.print(event);
      }
      if (!wanted.json && !wanted.quiet) {
        text += printer.flush();
        screen.live(printer.live());
        // What waits for what comes next does not wait long.
        if (printer.isPending) quiet = setTimeout(settle, QUIET_MS);
      }
      screen.write(text);
    },
  }).catch(async (error: unknown) => {
    await keeper?.close(summary.summary(0));
    throw error;
  });
  const draw = (): void => {
    if (!wanted.quiet) screen.live(printer.live());
    screen.status(describeState(run));
  };
  const clock = isAttended ? setInterval(draw, 1_000) : undefined;
  run.listen({
    onState(state) {
      draw();
      if (wanted.chat && state === 'idle') callPerson('waiting for you');
    },
  });
  if (isLive)
    process.stdout.on('resize', () => {
      printer.resize(process.stdout.columns);
      draw();
    });
  interrupts.attach(run, (sentence) =>
    isAttended ? screen.write(palette.dim(sentence)) : process.stderr.write(sentence),
  );
  const output = stopWithoutReader(run);
  if (isAttended)
    converse(run, { agent: wanted.agent.title ?? wanted.agent.name, palette, screen, keyboard, isChat: wanted.chat });

  const result = await run.ended;
  clearInterval(clock);
  clearTimeout(quiet);
  screen.close();
  const told = summary.summary(lines);
  await keeper?.close(told);
  const { end, outcome } = result;
  log('info', { message: 'a run is over', facts: { runId: id, end, outcome }, content: told.text ?? undefined });
  if (wanted.json) {
    if (result.error !== undefined) process.stderr.write(`tailrace: ${tellPlainly(result.error)}\n`);
  } else {
    // What the stream has told is in the closing lines.
    const failure = result.error === undefined || told.error ? '' : `  ${palette.bad(tellPlainly(result.error))}\n`;
    const hung = result.end === 'hung' ? palette.dim('  it did not end when its work was done, so it was ended\n') : '';
    const closing = closingLines(told, palette, {
      ...wanted,
      columns: screenWidth(),
      estimatedUsd: told.costUsd === null ? await estimateOf(ledger, loadPrices) : undefined,
      changed: printer.changed,
      told: printer.told,
      isKept: keeper !== undefined,
      // What keeps a run from being kept keeps an import from it, too.
      hasHistory: keeper !== undefined,
    });
    const isClosed = wanted.only === undefined || wanted.only.has('summary');
    process.stdout.write(printer.close() + (isClosed ? closing : '') + failure + hung);
  }
  callPerson(outcome === 'success' ? 'done' : outcome);
  return output.isBroken ? 1 : exitCode(result, interrupts.count > 0);
};

const ASKED: ReadonlySet<string> = new Set(['permission-request', 'question-request']);

function trustList(): ReturnType<typeof createTrust> {
  return createTrust({ file: `${dataFolder()}/trusted-folders.json` });
}

function drained(): Promise<void> {
  return new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** The prompt from standard input, for one that is too long for a command line. */
async function readPrompt(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError('what is it to do? tailrace run "…"');
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes('-')) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw new UsageError('the prompt on standard input is not UTF-8');
  // The line feed at the end is the pipe's, not the person's.
  return text.replace(/\r?\n$/, '');
}

/** Nobody reads what the run tells any more, or it cannot be written: then the run is stopped as a person would stop it. */
function stopWithoutReader(run: Run): { readonly isBroken: boolean } {
  const output = { isBroken: false };
  // The door's own way is to leave at once.
  process.stdout.removeAllListeners('error');
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (output.isBroken) return;
    output.isBroken = true;
    const why = error.code === 'EPIPE' ? 'nobody reads the output any more' : error.message;
    process.stderr.write(`tailrace: ${why}; the run is stopped\n`);
    run.stop();
  });
  return output;
}

/** 0 good, 1 failed, 130 stopped by the person. */
function exitCode({ outcome }: RunResult, wasInterrupted: boolean): number {
  if (wasInterrupted) return 130;
  return outcome === 'success' ? 0 : 1;
}
