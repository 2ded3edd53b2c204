import { exact } from './escape.ts';

/** The first bytes of what a browser may be given; a point stands for any byte. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'image/png': '\u0089PNG\r\n\u001a\n',
  'image/jpeg': '\u00ff\u00d8\u00ff',
  'image/gif': 'GIF8',
  'image/webp': 'RIFF....WEBP',
};

export interface Picture {
  readonly html: string;
  /** Whether it is on the page, which then has to allow it. */
  readonly isShown: boolean;
}

/** A picture that came with the session. Only what is one by its bytes, too, is put on the page; nothing is ever fetched. */
export function renderPicture(mediaType: string, data: string | undefined): Picture {
  if (data === undefined || !isPicture(mediaType, data))
    return { html: `<p class="remark">[${exact(mediaType.slice(0, 60))}, not shown]</p>`, isShown: false };
  const size = Math.ceil((data.length * 3) / 4 / 1000);
  return { html: `<img src="data:${mediaType};base64,${data}" alt="a picture of ${size} kB">`, isShown: true };
}

function isPicture(mediaType: string, data: string): boolean {
  const beginning = Object.hasOwn(BEGINNINGS, mediaType) ? BEGINNINGS[mediaType] : undefined;
  if (beginning === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return false;
  const bytes = Buffer.from(data.slice(0, 32), 'base64').toString('latin1');
  return [...beginning].every((character, at) => character === '.' || character === bytes[at]);
}
