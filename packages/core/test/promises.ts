export { brokenPromises } from '../src/testing/promises.ts';
