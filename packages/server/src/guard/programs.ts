// Programs get tokens, made by a person who is signed in: shown once, kept as a hash, with the rights that were ticked.

import { randomUUID } from 'node:crypto';
import { type Caller, RIGHTS, type Right } from './guard.ts';
import { createSecret, hashOf } from './secret.ts';

/** A program as it is kept and listed; its token cannot be had from it. */
export interface Program {
  readonly id: string;
  readonly name: string;
  readonly rights: readonly Right[];
  readonly hash: string;
  readonly madeAt: number;
}

export interface Programs {
  list(): readonly Program[];
  /** Gives the token, which nobody can tell again. */
  add(name: string, rights: readonly Right[]): { readonly program: Program; readonly token: string };
  remove(id: string): boolean;
  find(token: string): Caller | undefined;
}

export interface ProgramsOptions {
  /** Those that were kept. */
  readonly kept?: readonly Program[] | undefined;
  /** Keeps them; called after each change. */
  keep?(programs: readonly Program[]): void;
  readonly clock?: (() => number) | undefined;
}

/** So that people see what it is when they find one somewhere. */
const PREFIX = 'tailrace_';

export function createPrograms({ kept = [], keep, clock = Date.now }: ProgramsOptions = {}): Programs {
  const programs = new Map(kept.map((program) => [program.hash, program]));
  const list = (): readonly Program[] => [...programs.values()];

  return {
    list,
    add(name, wanted) {
      const token = `${PREFIX}${createSecret()}`;
      // Only rights that there are, each off unless it was ticked.
      const rights = RIGHTS.filter((right) => wanted.includes(right));
      const program = { id: randomUUID(), name, rights, hash: hashOf(token), madeAt: clock() };
      programs.set(program.hash, program);
      keep?.(list());
      return { program, token };
    },
    remove(id) {
      const program = list().find((one) => one.id === id);
      if (!program) return false;
      programs.delete(program.hash);
      keep?.(list());
      return true;
    },
    find(token) {
      // Looked up by its hash: how long that takes tells nothing about the token.
      const program = programs.get(hashOf(token));
      return program && { kind: 'program', id: program.id, rights: new Set(program.rights) };
    },
  };
}
