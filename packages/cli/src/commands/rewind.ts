import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createTrust, previewRewind, type RewindOptions, type RewindPreview, rewindSession } from '@tailrace/runner';
import { readRewind } from '@tailrace/server';
import type { Store } from '@tailrace/store';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { agentOf, findSession } from '../history/find.ts';
import { tellEmpty, withHistory } from '../history/open.ts';
import { dataFolder } from '../home.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { shortId } from '../printer/short-id.ts';
import { showPreview, showRewound } from '../rewind/words.ts';
import { askForTrust } from '../run/trust.ts';

/** `tailrace rewind`: takes files and conversation back to before a prompt, when the person has seen what that means. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      program: { type: 'string' },
      'trust-folder': { type: 'boolean' },
      json: { type: 'boolean' },
      plain: { type: 'boolean' },
    },
  });
  const [session, checkpoint, ...more] = positionals;
  if (more.length > 0) throw new UsageError('a session and a checkpoint: tailrace rewind ID CHECKPOINT');
  const options = await withHistory((store) => optionsOf(store, session, checkpoint));
  if (!options) {
    tellEmpty();
    return 1;
  }
  const trust = createTrust({ file: `${dataFolder()}/trusted-folders.json` });
  const palette = createPalette(values.plain ? false : undefined);
  const wanted = { trustFolder: values['trust-folder'] ?? false };
  const full: RewindOptions = {
    ...options,
    program: values.program,
    trust: (look) => askForTrust(look, { wanted, trust, palette }),
  };
  const preview = await previewRewind(full);
  if (!values.json) await writeOut(showPreview(preview, palette));
  if (values['dry-run']) {
    if (values.json) await writeOut(`${JSON.stringify(preview)}\n`);
    return 0;
  }
  if (!values.yes && !(await agrees(preview))) return 130;
  const rewound = await rewindSession(full, preview);
  await writeOut(values.json ? `${JSON.stringify(rewound)}\n` : `\n${showRewound(rewound, palette)}`);
  return rewound.failed.length > 0 ? 1 : 0;
};

async function optionsOf(
  store: Store,
  wanted: string | undefined,
  checkpoint: string | undefined,
): Promise<RewindOptions> {
  const sessionId = await findSession(store, wanted);
  const id = await findCheckpoint(store, sessionId, checkpoint);
  const { agent, ...kept } = await readRewind(store, { sessionId, checkpoint: id });
  return { ...kept, agent: agentOf(agent) };
}

/** The prompt whose id begins so. */
async function findCheckpoint(store: Store, sessionId: string, wanted: string | undefined): Promise<string> {
  if (wanted === undefined || wanted === '')
    throw new UsageError(`to which prompt? See tailrace checkpoints ${shortId(sessionId)}`);
  const known = (await store.history.checkpoints(sessionId)).filter(({ id }) => id.startsWith(wanted));
  const [first] = known;
  if (!first)
    throw new UsageError(`the session has no checkpoint ${wanted}; see tailrace checkpoints ${shortId(sessionId)}`);
  if (known.length > 1) throw new UsageError(`${wanted} could be any of ${known.map(({ id }) => id).join(', ')}`);
  return first.id;
}

async function agrees(preview: RewindPreview): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('nobody is here to agree to it: --yes does it, --dry-run only shows it');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = preview.files.length > 0 ? 'Set these files back? [y/N] ' : 'Go back? [y/N] ';
    return /^y(es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}
