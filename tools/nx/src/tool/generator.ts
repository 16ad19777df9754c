import { join } from 'node:path';
import { formatFiles, generateFiles } from '@nx/devkit';
import type { Tree } from '@nx/devkit';
import { addImport, addProvider, readSource } from '../source.ts';
import { wordsOf } from '../words.ts';

interface Options {
  readonly name: string;
  readonly app: 'admin-api' | 'member-api';
  readonly feature: string;
  readonly scope: string;
}

/** Tools that read one thing, by the scheme of `libs/tools`. Lists have pages, and writes dry runs. */
const READS = {
  'admin-api': { named: /^(?:describe|get|read)-(?!all-).+(?<!-details)$/, words: 'describe, get or read' },
  'member-api': { named: /^my-/, words: 'my' },
};

export async function tool(tree: Tree, { name, app, feature, scope }: Options): Promise<void> {
  const words = wordsOf(name);
  const { named, words: begin } = READS[app];
  if (!named.test(name)) throw new Error(`${name}: the name must begin with ${begin}`);
  const folder = `apps/${app}/src/${feature}`;
  const files = tree.children(folder);
  // A feature of one collection has its module beside the operations.
  const file = ['.module.ts', '.operations.ts'].flatMap((end) => files.find((child) => child.endsWith(end)) ?? [])[0];
  if (file === undefined) throw new Error(`${folder} has no module`);
  if (!readSource(tree, 'libs/contracts/src/identity/scopes.ts').includes(`'${scope}'`)) {
    throw new Error(`${scope} is no scope of libs/contracts/src/identity/scopes.ts`);
  }
  const audience = app === 'member-api' ? 'member' : 'operator';
  const title = words.plain[0]?.toUpperCase() + words.plain.slice(1);
  generateFiles(tree, join(import.meta.dirname, 'files'), folder, { words, toolName: name, scope, audience, title });
  addImport(tree, `${folder}/${file}`, `import { ${words.pascal}Tools } from './${name}.tools.js';`);
  addProvider(tree, `${folder}/${file}`, `${words.pascal}Tools`);
  await formatFiles(tree);
}
