import { approvals } from './approvals.mjs';
import { background } from './background.mjs';
import { endings } from './endings.mjs';
import { failures } from './failures.mjs';
import { files } from './files.mjs';
import { questions } from './questions.mjs';
import { rewind } from './rewind.mjs';
import { sessions } from './sessions.mjs';
import { starts } from './starts.mjs';
import { tools } from './tools.mjs';
import { trust } from './trust.mjs';
import { turns } from './turns.mjs';

export const runs = [
  ...tools,
  ...approvals,
  ...questions,
  ...turns,
  ...sessions,
  ...background,
  ...failures,
  ...endings,
  ...files,
  ...rewind,
  ...starts,
  ...trust,
];
