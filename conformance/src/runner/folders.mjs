// Each scenario has folders of its own that vanish with it, and an environment built from nothing.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

function writeAll(folder, files = {}) {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    const whole = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2);
    writeFileSync(target, whole, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
  }
}

export function makeFolders(scenario) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-')));
  const home = join(root, 'home');
  const project = join(home, 'project');
  const temporary = join(root, 'tmp');
  for (const folder of [project, temporary]) mkdirSync(folder, { recursive: true });
  writeAll(home, scenario.homeFiles);
  writeAll(project, scenario.files);
  return {
    root,
    home,
    project,
    temporary,
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

// Nothing of the surroundings gets in: no settings, no credentials, no proxy that leads anywhere.
export function environment(folders, address, extra = {}) {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folders.home,
    TMPDIR: folders.temporary,
    CLAUDE_CODE_TMPDIR: folders.temporary,
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: 'not-a-real-key',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Port 9 answers nobody, so whatever is not the stand-in fails at once instead of leaving the machine.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
    ...extra,
  };
}
