import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { licencesInBundle } from '../../scripts/licences-in-bundle.mjs';

export default defineConfig({
  plugins: [react(), tailwindcss(), licencesInBundle()],
  resolve: {
    alias: {
      // What it has for browsers asks the page's HTML parser, which the policy forbids; this is a table.
      'decode-named-character-reference': fileURLToPath(
        new URL('index.js', import.meta.resolve('decode-named-character-reference')),
      ),
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Everything comes from the server of the page: no file is inlined, and nothing needs a shim that its policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Inside the command's package plain `.js` is CommonJS; these are modules wherever they lie.
    rolldownOptions: {
      output: { entryFileNames: 'assets/[name]-[hash].mjs', chunkFileNames: 'assets/[name]-[hash].mjs' },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
});
