import type { Tree } from '@nx/devkit';
import { addImport, addProvider, append } from './source.ts';

/** A tree with one file. */
function treeOf(text: string): { tree: Tree; text: () => string } {
  const files = new Map([['a.ts', text]]);
  const tree = {
    read: (file: string) => files.get(file) ?? null,
    write: (file: string, content: string) => files.set(file, content),
  } as Partial<Tree> as Tree;
  return { tree, text: () => files.get('a.ts') ?? '' };
}

it.each([
  ['const list: string[] = [];', ['list'], 'const list: string[] = [A];'],
  ['const list = [B, ...C];', ['list'], 'const list = [B, ...C, A];'],
  [
    "const D = { one: { x: [] }, 'two-b': { x: [B,] } };",
    ['D', 'two-b', 'x'],
    "const D = { one: { x: [] }, 'two-b': { x: [B, A,] } };",
  ],
  ['const D = { a: { b: [B] }, b: [] };', ['D', 'b'], 'const D = { a: { b: [B] }, b: [A] };'],
  ['function f() { return { imports: [B] }; }', ['imports'], 'function f() { return { imports: [B, A] }; }'],
])('appends to the list in %s', (before, path, after) => {
  const { tree, text } = treeOf(before);
  append(tree, 'a.ts', path, 'A');
  expect(text()).toBe(after);
});

it.each(['const other = [];', 'const list = make();'])('refuses a file without the list: %s', (before) => {
  expect(() => append(treeOf(before).tree, 'a.ts', ['list'], 'A')).toThrow('a.ts has no list list');
});

it('adds an import after the others, once', () => {
  const { tree, text } = treeOf("import a from 'a';\n\nuse(a);\n");
  addImport(tree, 'a.ts', "import b from 'b';");
  addImport(tree, 'a.ts', "import b from 'b';");
  expect(text()).toBe("import a from 'a';\nimport b from 'b';\n\nuse(a);\n");
});

it.each([
  ['@Module({ providers: [B] }) class M {}', '@Module({ providers: [B, A] }) class M {}'],
  ['const M = collectionModule({ services: [B] });', 'const M = collectionModule({ services: [B], providers: [A] });'],
  [
    'collection({ name: "b" }); collectionModule({ c });',
    'collection({ name: "b" }); collectionModule({ c, providers: [A] });',
  ],
])('adds a provider to %s', (before, after) => {
  const { tree, text } = treeOf(before);
  addProvider(tree, 'a.ts', 'A');
  expect(text()).toBe(after);
});
