// Everything of the store that needs SQLite, in a file of its own: it is loaded when somebody asks for history.

export { checkStore, importHooks, importTranscripts, openStore, repairStore, watchTranscripts } from '@tailrace/store';
