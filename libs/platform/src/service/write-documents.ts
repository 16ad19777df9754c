import { mkdirSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes documents that are made from the built code into a folder, each whole or not at all: a service may start and
 * read one meanwhile.
 */
export async function writeDocuments(
  folder: URL,
  documents: Readonly<Record<string, () => Promise<string>>>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(documents)) {
    const draft = new URL(`${name}.${process.pid}`, folder);
    writeFileSync(draft, await make());
    renameSync(draft, new URL(name, folder));
  }
}
