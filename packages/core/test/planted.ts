// Secrets to plant in tests. None is real: each is made by rule, and put together from pieces so that no scanner takes this file
// for a leak.

export interface Planted {
  readonly kind: string;
  /** The text around it, with what must not come through. */
  readonly text: string;
  readonly secret: string;
}

const WORD = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zCfLiOyT';
const HEX = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const UPPER = 'A2BC3DE4FG5HJ6KL7MNPQRSTUVWXYZ';

function made(length: number, seed: number, letters: string = WORD): string {
  let text = '';
  for (let at = 0, state = seed * 7919 + 17; at < length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += letters[(state >> 12) % letters.length];
  }
  return text;
}

const base64 = (length: number, seed: number): string => made(length, seed, `${WORD}+/`);
const url = (length: number, seed: number): string => made(length, seed, `${WORD}-_`);

/** Tokens that stand alone: their prefix, and what was made by chance. */
const TOKENS: readonly (readonly [kind: string, pieces: readonly string[]])[] = [
  ['aws-access-key', ['AK', 'IA', made(16, 1, UPPER)]],
  ['aws-access-key', ['AS', 'IA', made(16, 2, UPPER)]],
  ['github-token', ['gh', 'p_', made(36, 3)]],
  ['github-token', ['gh', 'o_', made(36, 4)]],
  ['github-token', ['gh', 'u_', made(36, 5)]],
  ['github-token', ['gh', 's_', made(36, 6)]],
  ['github-token', ['gh', 'r_', made(36, 7)]],
  ['github-token', ['github', '_pat_', made(22, 8), '_', made(59, 9)]],
  ['gitlab-token', ['gl', 'pat-', url(20, 10)]],
  ['slack-token', ['xo', 'xb-', '123456789012-', '1234567890123-', made(24, 11)]],
  ['slack-token', ['xo', 'xp-', '123456789012-', '123456789012-', made(32, 12, HEX)]],
  ['slack-token', ['xa', 'pp-', '1-A0', made(9, 13, UPPER), '-1234567890123-', made(64, 14, HEX)]],
  [
    'slack-webhook',
    ['hooks.slack', '.com/services/', 'T0', made(9, 15, UPPER), '/B0', made(9, 16, UPPER), '/', made(24, 17)],
  ],
  ['stripe-key', ['sk', '_live_', made(24, 18)]],
  ['stripe-key', ['rk', '_test_', made(24, 19)]],
  ['stripe-webhook-secret', ['wh', 'sec_', made(32, 20)]],
  ['google-api-key', ['AI', 'za', url(35, 21)]],
  ['google-oauth-secret', ['GOC', 'SPX-', url(28, 22)]],
  ['google-oauth-token', ['ya', '29.', 'a0', url(60, 23)]],
  ['anthropic-key', ['sk-', 'ant-', 'api03-', url(93, 24), 'AA']],
  ['openai-key', ['sk-', 'proj-', url(74, 25), 'T3Blbk', 'FJ', url(74, 26)]],
  ['secret-key', ['sk', '-', made(48, 27)]],
  ['npm-token', ['np', 'm_', made(36, 28)]],
  ['pypi-token', ['py', 'pi-', 'AgEI', 'cHlwaS5vcmc', url(90, 29)]],
  ['docker-token', ['dckr', '_pat_', url(27, 30)]],
  ['hugging-face-token', ['h', 'f_', made(34, 31)]],
  ['twilio-key', ['S', 'K', made(32, 32, HEX)]],
  ['sendgrid-key', ['S', 'G.', url(22, 33), '.', url(43, 34)]],
  ['mailgun-key', ['ke', 'y-', made(32, 35, HEX)]],
  ['json-web-token', ['ey', 'J', made(33, 36), '.ey', 'J', made(60, 37), '.', url(43, 38)]],
  ['discord-token', ['M', 'T', made(24, 39), '.', made(6, 40), '.', url(38, 41)]],
  ['digitalocean-token', ['do', 'p_v1_', made(64, 42, HEX)]],
  ['heroku-key', ['HR', 'KU-', url(60, 43)]],
  ['databricks-token', ['da', 'pi', made(32, 44, HEX)]],
  ['shopify-token', ['sh', 'pat_', made(32, 45, HEX)]],
  ['square-token', ['sq', '0atp-', url(22, 46)]],
  ['fireworks-key', ['f', 'w_', made(24, 200)]],
  ['tavily-key', ['tv', 'ly-', 'dev-', made(32, 201)]],
  ['e2b-key', ['e2', 'b_', made(40, 202, HEX)]],
  ['langsmith-key', ['lsv2', '_pt_', made(32, 203, HEX), '_', made(10, 204, HEX)]],
  ['mapbox-token', ['sk', '.ey', 'J', made(60, 205), '.', url(22, 206)]],
  ['terraform-token', ['atlas', 'v1.', made(67, 207)]],
  ['age-secret-key', ['AGE-', 'SECRET-', 'KEY-1', made(58, 47, UPPER)]],
];

/** The text before a secret, the secret, and what comes after it. */
const IN_PLACE: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ['aws-secret-key', 'aws_secret_access_key = ', base64(40, 50), '\n'],
  ['azure-key', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', `${base64(86, 51)}==`, ';EndpointSuffix=x'],
  ['telegram-token', 'https://api.telegram.org/bot123456789:', `AA${url(33, 52)}`, '/getMe'],
  ['url-password', 'https://mill:', made(12, 53), '@example.org/path'],
  ['database-password', 'postgres://mill:', `${made(6, 54)}%21${made(4, 55)}`, '@db.example.org:5432/mill'],
  ['database-password', 'mongodb+srv://mill:', made(14, 56), '@cluster0.example.net/?w=1'],
  ['database-password', 'redis://:', made(20, 57), '@localhost:6379'],
  ['authorization', 'Authorization: Bearer ', url(40, 58), '\r\n'],
  ['authorization', "-H 'Authorization: Basic ", `${made(30, 59)}==`, "'"],
  ['bearer-authorization', 'send it as Bearer ', url(32, 60), ' and go on'],
  ['session-cookie', 'Cookie: ', `sid=${url(32, 61)}; theme=dark`, '\n'],
  ['session-cookie', 'Set-Cookie: ', `session=${url(40, 62)}; Path=/; HttpOnly`, '\n'],
  ['password', 'DB_PASSWORD=', `${made(5, 63)}!${made(5, 64)}`, '\nDB_HOST=localhost'],
  ['password', 'export MYSQL_PWD="', `Sommer${2020}!`, '"'],
  ['password', 'curl -u mill:', made(12, 65), ' https://example.org'],
  ['password', 'mysql --password ', made(10, 66), ' --host db'],
  ['api-key', '"api_key": "', made(32, 67, HEX), '", "other": 1'],
  ['api-key', "apiKey: '", made(24, 68), "',"],
  ['api-key', 'X-Api-Key: ', made(40, 69), '\n'],
  ['secret', 'const CLIENT = { appSecret: "', url(30, 70), '" }'],
  ['client-secret', 'client_secret=', url(34, 71), '&grant_type=x'],
  ['token', 'ACCESS_TOKEN=', made(32, 72), ' ./run'],
  ['token', '?token=', made(20, 73), '&page=2'],
  [
    'heroku-key',
    'HEROKU_API_KEY=',
    `${made(8, 74, HEX)}-${made(4, 75, HEX)}-4${made(3, 76, HEX)}-${made(12, 77, HEX)}`,
    '\n',
  ],
  ['password', 'DB_PASSWORD=', `correct${'horsebattery'}`, '\nDB_HOST=localhost'],
  ['password', 'PASSWD=', '86753090912', '\n'],
  ['password', 'db_passwd = "', `correct${'horsebattery'}`, '"'],
  ['password', '"password": "', `correct${'-horse-battery'}`, '"'],
  ['password', '<password>', made(12, 210), '</password>'],
  ['password', 'machine example.org login mill@example.org password ', made(12, 211), '\n'],
  ['password', 'sshpass -p ', made(10, 212), ' ssh mill@example.org'],
  ['password', 'mysql -h db.example.org -u root -p', made(10, 213), ' mill'],
  ['key', 'DJANGO_KEY=', made(32, 214, HEX), '\n'],
  ['token', 'DEPLOY_TOKEN=', made(40, 215, HEX), '\n'],
  ['api-key', 'ENV SECRET_KEY ', made(20, 216), '\n'],
  ['api-key', '<add key="ApiKey" value="', made(24, 217), '" />'],
  ['api-key', '{ "name": "API_KEY", "value": "', made(24, 218), '" }'],
  ['api-key', 'apikey: X-API-Key: ', made(32, 219), '\n'],
  ['secret', ':secret_key_base => "', made(64, 220, HEX), '"'],
  ['password-hash', 'mill:$', `6$${made(8, 221)}$${made(86, 222)}`, ':19000:0:99999:7:::'],
  ['password-hash', 'it is $', `2b$10$${made(53, 223)}`, ' there'],
  ['token', '/login?next=%2Fa%3Ftoken%3D', made(24, 224), ' and'],
  ['signature', '?sv=2024-01-01&sig=', `${made(42, 78)}%3D`, '&se=x'],
];

/** A key of several lines. */
function pem(label: string, lines: number, seed: number, end = '\n'): string {
  const body = Array.from({ length: lines }, (_, line) => base64(line === lines - 1 ? 41 : 64, seed + line));
  const dashes = '-'.repeat(5);
  return [`${dashes}BEGIN ${label}${dashes}`, ...body, `${dashes}END ${label}${dashes}`].join(end);
}

const KEYS: readonly string[] = [
  pem(`RSA PRIVATE ${'KEY'}`, 12, 100),
  pem(`EC PRIVATE ${'KEY'}`, 3, 120),
  pem(`OPENSSH PRIVATE ${'KEY'}`, 6, 130),
  pem(`PGP PRIVATE ${'KEY'} BLOCK`, 20, 140),
  pem(`PRIVATE ${'KEY'}`, 8, 170, '\\n'),
];

/** All of them. A key is not to come through with any of its lines. */
export const planted: readonly Planted[] = [
  ...TOKENS.map(([kind, pieces]) => ({ kind, text: `It is ${pieces.join('')}, keep it.`, secret: pieces.join('') })),
  ...IN_PLACE.map(([kind, before, secret, after]) => ({ kind, text: before + secret + after, secret })),
  ...KEYS.map((secret) => ({ kind: 'private-key', text: `{ "private_key": "${secret}" }`, secret })),
];

/** Whether any part of it that would help somebody is there: eight characters in a row. */
export function leaks(shown: string, { secret }: Planted): boolean {
  const step = secret.length < 8 ? secret.length : 8;
  for (let at = 0; at + step <= secret.length; at++) {
    const part = secret.slice(at, at + step);
    if (isTelling(part) && shown.includes(part)) return true;
  }
  return false;
}

/** Words of a frame tell nothing: `-----BEGIN`, `PRIVATE KEY`, `Path=/; H`, `services`. */
function isTelling(part: string): boolean {
  return /\d/.test(part) && /[A-Za-z]/.test(part) && !/[ ;]/.test(part);
}
