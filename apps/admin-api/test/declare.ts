import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyCommand } from '#src/seed/apply.command.js';
import type { TestApi } from './admin-api.js';

/** Runs `apply` with a declaration, as `npm start` does. */
export async function declare(api: TestApi, declaration: unknown): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'apply-'));
  try {
    const file = join(directory, 'seed.json');
    await writeFile(file, JSON.stringify(declaration));
    await applyCommand.run(api.config, [file]);
  } finally {
    await rm(directory, { recursive: true });
  }
}
