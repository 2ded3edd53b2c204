import { spawn } from 'node:child_process';

/** Opens an address of ours in the person's browser. Where there is none, nothing happens: the address stands in the terminal. */
export function openPage(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  if (program === undefined) return;
  const child = spawn(program, args, { stdio: 'ignore', detached: true, shell: false });
  child.on('error', () => {});
  child.unref();
}
