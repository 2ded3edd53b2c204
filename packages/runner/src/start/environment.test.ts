import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { childEnvironment } from './environment.ts';

const KEPT = {
  PATH: '/usr/bin',
  HOME: '/home/dev',
  LANG: 'C.UTF-8',
  SHELL: '/bin/bash',
  SSH_AUTH_SOCK: '/tmp/ssh',
  ANTHROPIC_API_KEY: 'key',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  CLAUDE_CODE_OAUTH_TOKEN: 'token',
  CLAUDE_CODE_USE_BEDROCK: '1',
  CLAUDE_CONFIG_DIR: '/home/dev/.claude',
  AWS_PROFILE: 'dev',
  HTTPS_PROXY: 'http://proxy',
  no_proxy: '127.0.0.1',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
};
const DROPPED = {
  TAILRACE_HOME: '/home/dev/data',
  TAILRACE_CLAUDE: '/opt/claude',
  TAILRACE_TOKEN: 'secret',
  tailrace_lower: 'x',
  ELECTRON_RUN_AS_NODE: '1',
  NODE_CHANNEL_FD: '3',
  NODE_CHANNEL_SERIALIZATION_MODE: 'json',
  NODE_UNIQUE_ID: '7',
  CLAUDECODE: '1',
  CLAUDE_CODE_SESSION_ID: 'outer',
  CLAUDE_BG_SOURCE: 'outer',
};
const command = {
  unset: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_BG_*'],
  env: { CLAUDE_CODE_ENTRYPOINT: 'tailrace' },
};

test('[T-16] the agent gets our environment without what is about us or an outer session', () => {
  expect(childEnvironment({ ...KEPT, ...DROPPED }, command, 'run-1')).toEqual({
    ...KEPT,
    CLAUDE_CODE_ENTRYPOINT: 'tailrace',
    TAILRACE_RUN_ID: 'run-1',
  });
});

test('[T-16] what npm tells its scripts goes when npm has started us, and stays when it is the person who set it', () => {
  const own = { npm_config_registry: 'http://registry', INIT_CWD: '/x' };
  expect(childEnvironment(own, {}, 'r')).toMatchObject(own);
  const byNpm = { ...own, npm_lifecycle_event: 'start', npm_package_name: 'x', npm_execpath: '/npm', A: 'b' };
  expect(childEnvironment(byNpm, {}, 'r')).toEqual({ A: 'b', TAILRACE_RUN_ID: 'r' });
});

test('[T-16] the mark is the new one, and the outer runs are named beside it', () => {
  const env = { TAILRACE_RUN_ID: 'outer' };
  expect(childEnvironment(env, { env: { TAILRACE_RUN_ID: 'forged' } }, 'inner')).toEqual({
    TAILRACE_RUN_ID: 'inner',
    TAILRACE_OUTER_RUNS: 'outer',
  });
});

test('[T-16] a real process sees this and nothing else', () => {
  const env = childEnvironment({ ...KEPT, ...DROPPED }, command, 'run-1');
  const { stdout } = spawnSync('/usr/bin/env', ['-0'], { env, encoding: 'utf8' });
  expect(stdout.split('\0').filter(Boolean).sort()).toMatchInlineSnapshot(`
    [
      "ANTHROPIC_API_KEY=key",
      "ANTHROPIC_BASE_URL=http://127.0.0.1:1",
      "AWS_PROFILE=dev",
      "CLAUDE_CODE_ENTRYPOINT=tailrace",
      "CLAUDE_CODE_OAUTH_TOKEN=token",
      "CLAUDE_CODE_USE_BEDROCK=1",
      "CLAUDE_CONFIG_DIR=/home/dev/.claude",
      "HOME=/home/dev",
      "HTTPS_PROXY=http://proxy",
      "LANG=C.UTF-8",
      "NODE_EXTRA_CA_CERTS=/ca.pem",
      "PATH=/usr/bin",
      "SHELL=/bin/bash",
      "SSH_AUTH_SOCK=/tmp/ssh",
      "TAILRACE_RUN_ID=run-1",
      "no_proxy=127.0.0.1",
    ]
  `);
});
