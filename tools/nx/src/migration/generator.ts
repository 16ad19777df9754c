import { join } from 'node:path';
import { formatFiles, generateFiles } from '@nx/devkit';
import type { Tree } from '@nx/devkit';
import { nextMigration, registerMigration } from '../migration-files.ts';
import type { Service } from '../migration-files.ts';
import { wordsOf } from '../words.ts';

interface Options {
  readonly name: string;
  readonly app: Service;
  readonly up: string;
  readonly down: string;
}

export async function migration(tree: Tree, { name, app, up, down }: Options): Promise<void> {
  const next = nextMigration(tree, app, wordsOf(name));
  generateFiles(tree, join(import.meta.dirname, 'files'), next.folder, { ...next, up, down });
  registerMigration(tree, app, next);
  await formatFiles(tree);
}
