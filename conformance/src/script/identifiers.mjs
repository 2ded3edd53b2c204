import { randomBytes } from 'node:crypto';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789';

const identifier = (prefix) => prefix + [...randomBytes(22)].map((byte) => letters[byte % letters.length]).join('');

export const messageIdentifier = () => identifier('msg_01');
export const toolIdentifier = () => identifier('toolu_01');
export const requestIdentifier = () => identifier('req_01');
