// Whether two paths name the same file, told by their text alone: the core opens nothing.

/** The way from a folder to a path, without `.` and `..`; Windows paths get slashes and small letters. For comparing, not for opening. */
export function resolvePath(cwd: string | undefined, path: string): string {
  const isWindows = isWindowsPath(path) || (cwd !== undefined && isWindowsPath(cwd));
  const plain = (text: string): string => (isWindows ? text.replaceAll('\\', '/').toLowerCase() : text);
  const own = plain(path);
  if (cwd === undefined || isAbsolute(own)) return tidy(own);
  return tidy(`${plain(cwd)}/${own}`);
}

/** What is left of a path below the first of these folders that holds it; the path itself when none does. Both are resolved. */
export function placeBelow(folders: readonly string[], path: string): string {
  for (const folder of folders) {
    if (path === folder) return './';
    const start = folder.endsWith('/') ? folder : `${folder}/`;
    if (path.startsWith(start)) return `./${path.slice(start.length)}`;
  }
  return path;
}

const COLON = 0x3a;

function isWindowsPath(path: string): boolean {
  return path.startsWith('\\\\') || hasDrive(path);
}

function hasDrive(path: string): boolean {
  const letter = path.charCodeAt(0) | 0x20;
  const next = path[2];
  return letter >= 0x61 && letter <= 0x7a && path.charCodeAt(1) === COLON && (next === '/' || next === '\\');
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || hasDrive(path);
}

function tidy(path: string): string {
  const root = path.startsWith('//') ? '//' : path.startsWith('/') ? '/' : hasDrive(path) ? path.slice(0, 3) : '';
  const steps: string[] = [];
  for (const step of path.slice(root.length).split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else if (root === '') steps.push(step);
  }
  return (root === '//' && !isShare(path) ? '/' : root) + steps.join('/');
}

/** Two slashes at the start mean another machine only where backslashes stood there; a third makes them one. */
function isShare(path: string): boolean {
  return path[2] !== '/';
}
