import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CompiledClient } from './compiled-client.js';
import { RECIPES, Recipe } from './recipe.js';

/** The maximum length of a recipe. */
const MAX_LINES = 40;

const names = readdirSync(RECIPES)
  .map((file) => basename(file, '.md'))
  .filter((name) => name !== 'README');
const textOf = (name: string): string => readFileSync(join(RECIPES, `${name}.md`), 'utf8');
/** The tests of the recipe compile modules that import generated files. */
const standalone = names.filter((name) => textOf(name).includes('```ts') && !/from '\.\//.test(textOf(name)));

describe('the recipes of docs/clients', () => {
  it('compiles the recipes under strict TypeScript', () => {
    expect(standalone.length).toBeGreaterThan(0);
    const modules = Object.fromEntries(standalone.map((name) => [name, new Recipe(name).block('ts')]));
    expect(new CompiledClient(modules).faults()).toEqual({});
  });

  it.each(names)('keeps to 40 lines: %s', (name) => {
    expect(textOf(name).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  it.each(names)('finds a test that runs %s', (name) => {
    const specs = readdirSync(__dirname).filter((file) => file.endsWith('.spec.ts') && file !== basename(__filename));
    const users = specs.filter((file) => readFileSync(join(__dirname, file), 'utf8').includes(`new Recipe('${name}'`));
    expect(users).not.toEqual([]);
  });

  it('lists all recipes in the index, and nothing else', () => {
    const listed = [...textOf('README').matchAll(/\]\(\.\/([\w-]+)\.md\)/g)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(names));
  });
});
