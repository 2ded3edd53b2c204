import { apiErrors } from './api-errors.mjs';
import { brokenStreams } from './broken-streams.mjs';
import { characters } from './characters.mjs';
import { commands } from './commands.mjs';
import { conversations } from './conversations.mjs';
import { demo } from './demo.mjs';
import { files } from './files.mjs';
import { hooks } from './hooks.mjs';
import { interrupts } from './interrupts.mjs';
import { limits } from './limits.mjs';
import { mcp } from './mcp.mjs';
import { oddModels } from './odd-models.mjs';
import { otherTools } from './other-tools.mjs';
import { permissions } from './permissions.mjs';
import { planning } from './planning.mjs';
import { refusals } from './refusals.mjs';
import { serverTools } from './server-tools.mjs';
import { sessions } from './sessions.mjs';
import { shells } from './shell.mjs';
import { signals } from './signals.mjs';
import { subagents } from './subagents.mjs';
import { subagentsDisturbed } from './subagents-disturbed.mjs';
import { texts } from './text.mjs';

export const scenarios = [
  ...texts,
  ...hooks,
  ...permissions,
  ...interrupts,
  ...brokenStreams,
  ...subagents,
  ...subagentsDisturbed,
  ...oddModels,
  ...serverTools,
  ...files,
  ...shells,
  ...mcp,
  ...otherTools,
  ...planning,
  ...limits,
  ...apiErrors,
  ...refusals,
  ...conversations,
  ...commands,
  ...sessions,
  ...signals,
  ...characters,
  ...demo,
];
