/** Writes to standard output and waits while its reader is behind. */
export async function writeOut(text: string): Promise<void> {
  if (text === '' || process.stdout.write(text)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}
