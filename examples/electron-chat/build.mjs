// Three files for the three worlds of an Electron app.
import { cpSync } from 'node:fs';
import { rolldown } from 'rolldown';

const bundles = [
  { input: 'src/main.ts', file: 'dist/main.js', format: 'esm', platform: 'node' },
  // A sandboxed preload script is one CommonJS file.
  { input: 'src/preload.ts', file: 'dist/preload.cjs', format: 'cjs', platform: 'node' },
  { input: 'src/renderer.tsx', file: 'dist/renderer.js', format: 'iife', platform: 'browser' },
];

for (const { input, file, format, platform } of bundles) {
  const bundle = await rolldown({
    input,
    platform,
    external: ['electron'],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  await bundle.write({ file, format, minify: platform === 'browser' });
  await bundle.close();
}
for (const name of ['index.html', 'style.css']) cpSync(`src/${name}`, `dist/${name}`);
