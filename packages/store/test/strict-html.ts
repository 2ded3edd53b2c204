// Reads a page as strictly as nobody else does: only what we write ourselves is allowed in it, and everything else is a fault.

const TAGS: ReadonlySet<string> = new Set(
  'html head meta title style body header main footer section div p span h1 h2 h3 h4 h5 h6 ul ol li pre code b em strong del blockquote hr table tr th td details summary time a img'.split(
    ' ',
  ),
);
const VOID: ReadonlySet<string> = new Set(['meta', 'hr', 'img']);
const ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  html: new Set(['lang']),
  meta: new Set(['charset', 'http-equiv', 'content', 'name']),
  a: new Set(['href', 'rel']),
  img: new Set(['src', 'alt']),
  details: new Set(['class', 'open']),
};
const CLASS: ReadonlySet<string> = new Set(['class']);

export interface StrictPage {
  readonly faults: readonly string[];
  /** All text outside of the style, as a reader sees it. */
  readonly text: string;
  readonly addresses: readonly string[];
  readonly style: string;
  readonly policy: string;
}

export function readStrictly(page: string): StrictPage {
  const faults: string[] = [];
  const addresses: string[] = [];
  const open: string[] = [];
  let text = '';
  let style = '';
  let policy = '';
  let at = '<!doctype html>\n'.length;
  if (!page.startsWith('<!doctype html>\n')) faults.push('no doctype');

  const fault = (what: string): void => {
    if (faults.length < 5) faults.push(`${what}: ${page.slice(Math.max(0, at - 60), at + 80)}`);
  };

  function takeAttributes(tag: string, source: string): void {
    let rest = source;
    while (rest !== '') {
      const found = /^ ([a-z-]+)(?:="([^"<>]*)")?/.exec(rest);
      if (!found) return fault(`strange attributes of ${tag}`);
      const [all, name = '', value = ''] = found;
      if (!(ATTRIBUTES[tag] ?? CLASS).has(name)) fault(`attribute ${name} of ${tag}`);
      if (name === 'class' && !/^[a-z0-9 -]*$/.test(value)) fault('strange class');
      if (name === 'href' || name === 'src') takeAddress(tag, unescaped(value));
      if (name === 'content' && value.includes('default-src')) policy = unescaped(value);
      rest = rest.slice(all.length);
    }
  }

  function takeAddress(tag: string, address: string): void {
    addresses.push(address);
    const allowed =
      tag === 'img' ? /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/ : /^(?:https?:\/\/|mailto:)[!-~]*$/;
    if (!allowed.test(address)) fault(`address ${address.slice(0, 60)}`);
  }

  while (at < page.length) {
    if (page[at] !== '<') {
      const end = page.indexOf('<', at);
      const piece = page.slice(at, end < 0 ? page.length : end);
      if (open.at(-1) === 'style') style += piece;
      else {
        if (/[>"']/.test(piece)) fault('a sign that is not escaped');
        if (/&(?!amp;|lt;|gt;|quot;|#39;)/.test(piece)) fault('a strange entity');
        text += unescaped(piece);
      }
      at += piece.length;
      continue;
    }
    const tag = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/.exec(
      page.slice(at, page.indexOf('>', at) + 1),
    );
    if (!tag) {
      fault('no tag of ours');
      break;
    }
    const [all, slash, name = '', attributes = ''] = tag;
    if (!TAGS.has(name)) fault(`tag ${name}`);
    if (slash === '/') {
      if (open.pop() !== name) fault(`${name} is closed and was not open`);
    } else {
      takeAttributes(name, attributes);
      if (!VOID.has(name)) open.push(name);
    }
    at += all.length;
  }
  if (open.length > 0) faults.push(`left open: ${open.join(' ')}`);
  return { faults, text, addresses, style, policy };
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
