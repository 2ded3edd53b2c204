// Secrets that tell by themselves what they are: they begin with a word of their maker's, and then comes what was made by chance.

import { DOTTED, HEX, isAt, runEnd, TOKEN, UPPER, WORD } from './characters.ts';
import { countDistinct } from './randomness.ts';

type Row = readonly [kind: string, prefixes: string, characters: number, shortest: number];

/** Longer prefixes come before shorter ones that they begin with. */
const ROWS: readonly Row[] = [
  ['aws-access-key', 'AKIA ASIA ABIA ACCA', UPPER, 16],
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', WORD, 30],
  ['github-token', 'github_pat_', TOKEN, 30],
  ['gitlab-token', 'glpat- glptt- gldt- glrt- glsoat- glcbt- glimt- glft- glagent- gloas-', DOTTED, 20],
  ['slack-token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb- xapp-', DOTTED, 20],
  ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_', WORD, 16],
  ['stripe-webhook-secret', 'whsec_', TOKEN, 24],
  ['google-api-key', 'AIza', TOKEN, 35],
  ['google-oauth-secret', 'GOCSPX-', TOKEN, 24],
  ['google-oauth-token', 'ya29. 1//0', DOTTED, 30],
  ['anthropic-key', 'sk-ant-', TOKEN, 20],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin-', TOKEN, 20],
  ['openrouter-key', 'sk-or-v1-', HEX, 32],
  ['secret-key', 'sk-', WORD, 32],
  ['npm-token', 'npm_', WORD, 30],
  ['pypi-token', 'pypi-AgEI pypi-AgEN', TOKEN, 40],
  ['docker-token', 'dckr_pat_ dckr_oat_', TOKEN, 20],
  ['hugging-face-token', 'hf_ api_org_', WORD, 30],
  ['twilio-key', 'SK', HEX, 32],
  ['sendgrid-key', 'SG.', DOTTED, 40],
  ['mailgun-key', 'key-', HEX, 32],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', HEX, 40],
  ['heroku-key', 'HRKU-', TOKEN, 30],
  ['databricks-token', 'dapi', HEX, 32],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_', HEX, 32],
  ['square-token', 'sq0atp- sq0csp- sq0idp-', TOKEN, 22],
  ['age-secret-key', 'AGE-SECRET-KEY-1', UPPER, 40],
  ['linear-key', 'lin_api_', WORD, 30],
  ['notion-token', 'ntn_', WORD, 40],
  ['atlassian-token', 'ATATT3', TOKEN, 60],
  ['figma-token', 'figd_', TOKEN, 36],
  ['new-relic-key', 'NRAK-', UPPER, 24],
  ['grafana-token', 'glsa_ glc_', TOKEN, 32],
  ['sentry-token', 'sntrys_ sntryu_', TOKEN, 40],
  ['postman-key', 'PMAK-', TOKEN, 50],
  ['doppler-token', 'dp.pt. dp.st. dp.ct.', DOTTED, 40],
  ['vault-token', 'hvs. hvb. hvr.', TOKEN, 24],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', DOTTED, 32],
  ['supabase-token', 'sbp_', HEX, 40],
  ['replicate-token', 'r8_', WORD, 36],
  ['groq-key', 'gsk_', WORD, 48],
  ['xai-key', 'xai-', WORD, 60],
  ['perplexity-key', 'pplx-', WORD, 40],
  ['rubygems-key', 'rubygems_', HEX, 40],
  ['pulumi-token', 'pul-', HEX, 40],
  ['tailscale-key', 'tskey-', TOKEN, 20],
  ['fireworks-key', 'fw_', WORD, 20],
  ['tavily-key', 'tvly-', TOKEN, 24],
  ['e2b-key', 'e2b_', HEX, 32],
  ['langsmith-key', 'lsv2_pt_ lsv2_sk_', TOKEN, 32],
  ['mapbox-token', 'sk.eyJ', DOTTED, 40],
  ['terraform-token', 'atlasv1.', TOKEN, 40],
];

interface Token {
  readonly kind: string;
  readonly prefix: string;
  readonly characters: number;
  readonly shortest: number;
}

const tokens: readonly Token[] = ROWS.flatMap(([kind, prefixes, characters, shortest]) =>
  prefixes.split(' ').map((prefix) => ({ kind, prefix, characters, shortest })),
);

/** By their first two characters. */
const pairs = new Map<number, readonly Token[]>();
for (const token of tokens) {
  const pair = pairOf(token.prefix, 0);
  pairs.set(pair, [...(pairs.get(pair) ?? []), token]);
}

/** One number for two characters, less than 2^16. Strange ones share a number, which costs a look and no more. */
export function pairOf(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;
}

/** What tokens begin with. */
export const tokenPairs: Iterable<number> = pairs.keys();

/** What was found at a place. `isOpen`: more text could make it longer, or make it one. */
export interface Match {
  readonly kind: string;
  /** Where it ends, or -1 when it is none. */
  readonly end: number;
  readonly isOpen: boolean;
}

/** A secret that is cut off by the end of the text is one when so much of it is there. */
const CUT_OFF = 10;

/** So much of a token is looked at to see whether it is one. */
const PROBE = 128;

/** The token that begins exactly here. */
export function matchToken(text: string, at: number, isWhole: boolean): Match | undefined {
  const limit = text.length;
  if (limit - at < 2) return isWhole ? undefined : beginning(text, at);
  const candidates = pairs.get(pairOf(text, at));
  if (!candidates) return undefined;
  for (const { kind, prefix, characters, shortest } of candidates) {
    if (!text.startsWith(prefix, at)) {
      if (!isWhole && limit - at < prefix.length && prefix.startsWith(text.slice(at))) return open(kind);
      continue;
    }
    const body = at + prefix.length;
    // The beginning tells. Reading to the end each time would take long where one poor beginning follows another.
    const probe = runEnd(text, body, characters, PROBE);
    if (probe === limit && !isWhole) return open(kind);
    if (probe < limit && (probe - body < shortest || countDistinct(text, body, probe) < 6)) continue;
    let end = runEnd(text, probe, characters);
    if (end === limit && !isWhole) return open(kind);
    while (text.charCodeAt(end - 1) === 0x2e) end--; // the full stop of a sentence
    if (end < limit && isAt(text, end, WORD)) continue;
    const enough = end === limit ? Math.min(shortest, CUT_OFF) : shortest;
    if (end - body < enough || countDistinct(text, body, end) < 6) continue;
    if (end - body < shortest && !/\d/.test(text.slice(body, end))) continue;
    return { kind, end, isOpen: false };
  }
  return undefined;
}

function open(kind: string): Match {
  return { kind, end: -1, isOpen: true };
}

/** One character, or none: whether a token begins so. */
function beginning(text: string, at: number): Match | undefined {
  const rest = text.slice(at);
  return tokens.some(({ prefix }) => prefix.startsWith(rest)) ? open('') : undefined;
}
