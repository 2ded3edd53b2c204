// What holds for the whole house: who knows what, who needs whom, and what is shipped.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : filesUnder(path);
    return [path];
  });
}

const sources = filesUnder(join(root, 'packages')).filter(
  (path) => /\.(ts|tsx|mjs|js)$/.test(path) && !/\.test(-d)?\.tsx?$|\/test\//.test(path),
);
const manifestOf = (name: string) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
const packages = readdirSync(join(root, 'packages'));

describe('[A-03] the one room', () => {
  /** Names that only Claude's wire has: fields, types, tools and settings. */
  const CLAUDES =
    /\b(parent_tool_use_id|tool_use_result|content_block_delta|stream_event|tool_use_id|can_use_tool|input_json_delta|modelUsage|model_usage_since_last_result|total_cost_usd|permission_denials|claude_code_version|compact_boundary|api_retry|task_notification|TodoWrite|ExitPlanMode|AskUserQuestion|NotebookEdit)/;
  /** The row that a desktop app asked for (G-09) has a column of the same name as one of the fields. */
  const METADATA = /^packages\/store\/src\/sqlite\/(history|migrations)\//;
  /** And so has what its windows are told of a call's result (G-07). */
  const CHANNELS = /^packages\/(protocol\/src\/electron|electron\/src)\//;
  const leaks = (paths: readonly string[]) =>
    paths.filter((path) => {
      const name = relative(root, path);
      const asked = METADATA.test(name) ? 'total_cost_usd' : CHANNELS.test(name) ? 'tool_use_id' : undefined;
      const code = readFileSync(path, 'utf8');
      return CLAUDES.test(asked === undefined ? code : code.replaceAll(asked, ''));
    });

  /** The agents' own rooms: some of them use Claude's words, and none imports another's. */
  const AGENTS = /^packages\/core\/src\/agents\/(?!narrator\/)[\w-]+\//;

  test("what knows an agent's format lies in the agents' rooms, and nowhere else in any package", () => {
    const outside = sources.filter((path) => !AGENTS.test(relative(root, path)));
    expect(outside.length).toBeGreaterThan(20);
    expect(leaks(outside).map((path) => relative(root, path))).toEqual([]);
  });

  test('the check would find a leak', () => {
    expect(leaks(sources.filter((path) => path.includes('/agents/dialects/claude/'))).length).toBeGreaterThan(5);
  });

  test('[A-04] the wire types are written out there, one group per family', () => {
    const wire = readFileSync(join(root, 'packages/core/src/agents/dialects/claude/wire.ts'), 'utf8');
    for (const family of [
      'AssistantLine',
      'UserLine',
      'StreamLine',
      'ResultLine',
      'InitLine',
      'ControlRequestLine',
      'WireBlock',
      'WireUsage',
    ])
      expect(wire).toContain(`export interface ${family}`);
  });
});

test('[T-12] nothing is started through a shell', () => {
  const shells = /shell:\s*true|\bexec(Sync)?\(|['"]node:child_process['"]\)\.exec\b/;
  const spawning = sources.filter((path) => readFileSync(path, 'utf8').includes('child_process'));
  expect(spawning.length).toBeGreaterThan(3);
  for (const path of spawning) {
    // A pattern of a text is run by a method of the same name.
    const code = readFileSync(path, 'utf8').replaceAll(/\.exec\(/g, '');
    expect(code, relative(root, path)).not.toMatch(shells);
    expect(code, relative(root, path)).not.toMatch(/import \{[^}]*\bexec(Sync)?\b[^}]*\} from 'node:child_process'/);
  }
});

test('what the fake agent plays was seen: each behaviour names a scenario of the real one, or a public thread', () => {
  const fake = readFileSync(join(root, 'packages/runner/test/fake-agent.mjs'), 'utf8');
  const scenarios = filesUnder(join(root, 'conformance/src'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const seen = [...fake.matchAll(/seen: ([^:*\n]+)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  expect(seen.length).toBeGreaterThan(10);
  for (const name of seen)
    if (!/^[\w.-]+\/[\w.-]+#\d+$/.test(name)) expect(scenarios, name).toContain(`name: '${name}'`);
});

describe('core', () => {
  const core = join(root, 'packages/core');
  const speakers = new Set(['claude', 'qwen', 'grok']);
  const agentFolders = readdirSync(join(core, 'src/agents'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'dialects' && entry.name !== 'narrator')
    .map(({ name }) => name);

  test('every agent that comes with it has the same files', () => {
    expect(agentFolders.length).toBeGreaterThanOrEqual(3);
    for (const name of agentFolders)
      for (const file of ['index.ts', 'detect.ts', 'tools.ts', 'command.ts', 'captures.test.ts'])
        expect(existsSync(join(core, 'src/agents', name, file)), `${name}/${file}`).toBe(true);
  });

  test('needs nothing', () => {
    const manifest = manifestOf('core');
    expect({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }).toEqual({});
    expect(manifest.sideEffects).toBe(false);
  });

  test('reaches no Node builtin from any of its doors, and asks only for TextDecoder of its host', () => {
    for (const door of ['index.js', 'streams/index.js', 'targets/ai-sdk/index.js', 'testing/index.js']) {
      const reached = reachable(join(core, 'dist', door));
      expect(reached.size).toBeGreaterThan(10);
      for (const path of reached) {
        const code = readFileSync(path, 'utf8');
        expect(code, path).not.toMatch(/\bfrom ['"](node:|[a-z@])/);
        expect(code, path).not.toMatch(/\b(process|Buffer|require|window|document)\s*[.(]/);
      }
    }
  });

  test('has no clock and no randomness', () => {
    for (const path of ['dist/index.js', 'dist/targets/ai-sdk/index.js', 'dist/testing/index.js'].flatMap((door) => [
      ...reachable(join(core, door)),
    ]))
      expect(readFileSync(path, 'utf8'), path).not.toMatch(
        /Date\.now|new Date\(|Math\.random|performance\.|setTimeout|console\./,
      );
  });

  test('keeps its rooms apart', () => {
    const allowed: Readonly<Record<string, RegExp | ReadonlySet<string>>> = {
      lines: /^lines$/,
      event: /^event$/,
      host: /^(host|event)$/,
      accounting: /^(accounting|event)$/,
      progress: /^(progress|event)$/,
      conversation: /^(conversation|event)$/,
      session: /^(session|accounting|event)$/,
      summary: /^(summary|accounting|event)$/,
      // What others understand is made of events alone.
      'targets/ai-sdk': /^(targets\/ai-sdk|event|lines)$/,
      // It asks the same of every agent: it may know none.
      testing: /^(testing|agents|event|lines)?$/,
      'agents/narrator': /^(agents\/narrator|agents|event)$/,
      'agents/dialects/claude': /^(agents\/dialects\/claude|agents|event|lines)$/,
      // An agent knows itself, what all of them share, and the dialect it speaks; never another agent.
      ...Object.fromEntries(
        agentFolders.map((name) => [
          `agents/${name}`,
          new Set([
            `agents/${name}`,
            `agents/${name}/hooks`,
            'agents',
            'agents/narrator',
            'event',
            'lines',
            ...(speakers.has(name) ? ['agents/dialects/claude'] : []),
          ]),
        ]),
      ),
    };
    for (const [room, may] of Object.entries(allowed)) {
      for (const path of sources.filter((one) => one.includes(`/core/src/${room}/`))) {
        for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(
          /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g,
        )) {
          const folder = relative(join(core, 'src'), dirname(join(dirname(path), target)));
          // The list of all agents is for those who choose one.
          if (room.startsWith('agents')) expect(target, relative(root, path)).not.toMatch(/registry\.ts$/);
          const isAllowed = may instanceof RegExp ? may.test(folder) : may.has(folder);
          expect(isAllowed, `${relative(root, path)} imports ${target}`).toBe(true);
        }
      }
    }
  });

  function reachable(entry: string, seen = new Set<string>()): Set<string> {
    if (seen.has(entry)) return seen;
    seen.add(entry);
    for (const [, target = ''] of readFileSync(entry, 'utf8').matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g))
      reachable(join(dirname(entry), target), seen);
    return seen;
  }
});

describe('[T-29] what is installed and shipped', () => {
  /** How many packages a user of each gets, ourselves left out. */
  const BUDGET: Readonly<Record<string, number>> = {
    core: 0,
    protocol: 1,
    runner: 0,
    store: 3,
    server: 2,
    client: 0,
    electron: 0,
    cli: 1,
  };

  test('no package of ours runs a script when it is installed', () => {
    for (const name of packages)
      expect(
        Object.keys(manifestOf(name).scripts ?? {}).filter((script) => /^(pre|post)?install$|^prepare$/.test(script)),
      ).toEqual([]);
  });

  test('only what is allowed may run a script when we install', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const withScripts = Object.entries<{ hasInstallScript?: boolean; optional?: boolean }>(lock.packages).filter(
      ([, entry]) => entry.hasInstallScript && !entry.optional,
    );
    for (const [path] of withScripts)
      expect(Object.keys(allowScripts)).toContain(
        path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      );
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true');
  });

  test('every version is pinned, and the lock file names no host', () => {
    const manifests = [JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), ...packages.map(manifestOf)];
    for (const { dependencies, devDependencies } of manifests) {
      for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
        expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "http/);
  });

  test.each(Object.keys(BUDGET))('%s stays within its budget of dependencies', (name) => {
    const others = Object.keys(manifestOf(name).dependencies ?? {}).filter((one) => !one.startsWith('@tailrace/'));
    expect(others).toHaveLength(BUDGET[name] ?? 0);
  });

  test('only the page is not published by itself: the command has it', () => {
    expect(packages.filter((name) => manifestOf(name).private)).toEqual(['web']);
    for (const file of ['README.md', 'LICENSE']) expect(existsSync(join(root, 'packages/web', file)), file).toBe(true);
  });

  test.each(packages.filter((name) => !manifestOf(name).private))(
    '%s is packed with what it needs and nothing else',
    (name) => {
      const [packed] = JSON.parse(
        execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], {
          cwd: join(root, 'packages', name),
          encoding: 'utf8',
        }),
      );
      const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
      expect(paths).toContain('package.json');
      expect(paths).toContain('README.md');
      expect(paths).toContain('LICENSE');
      for (const path of paths)
        expect(path).toMatch(
          /^((dist\/)?package\.json|README\.md|LICENSE|CHANGELOG\.md|schema\.json|dist\/[\w/.-]+\.(js|d\.ts|ndjson)|dist\/(page\/)?licences\.txt|dist\/page\/[\w/.-]+\.(mjs|css|svg|html))$/,
        );
      expect(paths.filter((path) => /\.test\b|\btest\//.test(path))).toEqual([]);
    },
  );
});

describe('the project stands alone', () => {
  const texts = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(
      (path) =>
        path &&
        existsSync(join(root, path)) &&
        statSync(join(root, path)).size < 1_000_000 &&
        !/^fixtures\/|package-lock\.json$/.test(path),
    );

  test('no file reads from beside it, and none names a folder of the machine it was made on', () => {
    for (const path of texts.filter((one) => one !== 'test/house.test.ts')) {
      const content = readFileSync(join(root, path), 'utf8');
      expect(content, path).not.toMatch(/\.\.\/shared\//);
      expect(content, path).not.toMatch(/['"`(\s]\/(work|root|farm)\//);
    }
  });
});

test("[R-11] the tests fail when less than 95 % of the core's lines are covered", async () => {
  const { default: config } = await import('../vitest.config.ts');
  const thresholds = config.test?.coverage as { thresholds?: Record<string, { lines?: number }> } | undefined;
  expect(thresholds?.thresholds?.['packages/core/src/**']?.lines).toBeGreaterThanOrEqual(95);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.test).toContain('--coverage');
});

test.each(packages.map((name) => `packages/${name}/README.md`))(
  '%s says how to install what its programs import',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const installed = [...text.matchAll(/npm install ([^`\n]+)/g)].flatMap(([, words = '']) => words.split(' '));
    const programs = [...text.matchAll(/```tsx?\n([^`]|`(?!``))*```/g)].map(([program]) => program);
    const imported = programs.flatMap((program) => [...program.matchAll(/from '((?:@[^/']+\/)?[^/'.]+)/g)]);
    // Node is there, and Electron is the app's own.
    const wanted = imported.flatMap(([, name = '']) => (/^(node:|electron$)/.test(name) ? [] : name));
    expect(installed).toEqual(expect.arrayContaining(wanted));
  },
);
