import type { StoreHealth } from '@tailrace/protocol';

/** How the store is doing, in words. */
export function stateSentence(store: StoreHealth): string {
  switch (store.status) {
    case 'ok':
      return 'It is well.';
    case 'full':
      return 'The disk is full: nothing more is kept.';
    case 'busy':
      return 'Another program holds it at the moment.';
    case 'corrupt':
      return 'It is damaged: type tailrace doctor in a terminal.';
    case 'read-only':
      return 'It can be read, but not written.';
    case 'io':
      return 'The disk does not answer as it should.';
    default:
      return `It cannot be read (${store.status}).`;
  }
}
