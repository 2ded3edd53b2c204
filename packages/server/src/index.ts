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
export { createSignIns, type SignIn, type SignIns } from './guard/sign-ins.ts';
