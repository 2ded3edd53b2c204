export {
  type Caller,
  createGuard,
  type Guard,
  type GuardOptions,
  type Knock,
  RIGHTS,
  type Right,
  type Verdict,
} from './guard/guard.ts';
export { createPrograms, type Program, type Programs, type ProgramsOptions } from './guard/programs.ts';
export { createSignIns, type SignIn, type SignInOptions, type SignIns } from './guard/sign-ins.ts';
