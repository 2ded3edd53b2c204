import { madeProgram, newProgram, type ProgramInfo, programList } from '@tailrace/protocol';
import type { Program } from '../../guard/programs.ts';
import { ProblemError } from '../../problem-error.ts';
import { MAX_PROGRAMS } from '../limits.ts';
import { defineRoute, type Route } from '../route.ts';

/** Which programs may come in: only a person says so (T-01). */
export const programRoutes: readonly Route[] = [
  defineRoute({
    name: 'listPrograms',
    method: 'GET',
    path: '/api/programs',
    says: 'The programs that may come in, and what they may do.',
    entry: 'person',
    reply: programList,
    handle: async (_, { programs }) => ({ body: { items: programs.list().map(infoOf) } }),
  }),
  defineRoute({
    name: 'addProgram',
    method: 'POST',
    path: '/api/programs',
    says: 'Lets a program in; its token is told once.',
    entry: 'person',
    body: newProgram,
    reply: madeProgram,
    async handle({ caller, body: { name, rights } }, { programs, audit }) {
      if (programs.list().length >= MAX_PROGRAMS)
        throw new ProblemError('too-many', `there are ${MAX_PROGRAMS} programs: take one away`);
      const { program, token } = programs.add(name, rights);
      audit.write({ action: 'add-program', caller: caller.id, result: 'done', detail: program.id });
      return { body: { program: infoOf(program), token } };
    },
  }),
  defineRoute({
    name: 'removeProgram',
    method: 'DELETE',
    path: '/api/programs/:programId',
    says: 'Takes a program away: its token is worth nothing from now on.',
    entry: 'person',
    async handle({ caller, parameters: { programId } }, { programs, audit, onLeave }) {
      if (!programs.remove(programId)) throw new ProblemError('not-found', 'there is no such program');
      onLeave?.(programId);
      audit.write({ action: 'remove-program', caller: caller.id, result: 'done', detail: programId });
      return { body: undefined };
    },
  }),
];

/** Without its hash. */
function infoOf({ id, name, rights, madeAt }: Program): ProgramInfo {
  return { id, name, rights, madeAt };
}
