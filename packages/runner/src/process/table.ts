// Who runs on this machine. Linux tells it in files; elsewhere `ps` is asked.

import type { ProcessTable } from './entry.ts';
import { procTable } from './proc.ts';
import { psTable } from './ps.ts';

/** The processes of this machine. */
export const systemTable: ProcessTable = process.platform === 'linux' ? procTable : psTable(process.platform);
