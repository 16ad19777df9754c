import { BundleRefusal } from './bundle-refusal.js';
import { BUNDLE_LIMITS, plannedFiles } from './page-bundle.policy.js';

const { files, bytes, bytesOfFile, bytesOfPath } = BUNDLE_LIMITS;

const of = (name: string, size = 10) => ({ name, bytes: size });
const index = of('index.html');

/** The details of the refusal. The detail of a file begins with its path. */
function faults(...entries: readonly { name: string; bytes: number }[]): string[] {
  try {
    plannedFiles(entries);
    return [];
  } catch (error) {
    if (!(error instanceof BundleRefusal)) throw error;
    for (const { path, detail } of error.faults) if (path !== null) expect(detail.startsWith(`${path}: `)).toBe(true);
    return error.faults.map(({ detail }) => detail);
  }
}

it('serves each file by its path, with the type of its ending', () => {
  const entries = [index, of('App/Main.JS'), of('a.b.css'), of('fonts/x.woff2'), of('图.svg'), of('e\u0301.txt')];
  expect(plannedFiles(entries).map(({ path, content_type }) => [path, content_type])).toEqual([
    ['index.html', 'text/html; charset=utf-8'],
    ['App/Main.JS', 'text/javascript; charset=utf-8'],
    ['a.b.css', 'text/css; charset=utf-8'],
    ['fonts/x.woff2', 'font/woff2'],
    ['图.svg', 'image/svg+xml'],
    ['\u00e9.txt', 'text/plain; charset=utf-8'],
  ]);
});

it('leaves out hidden files and the folder of macOS, also when they could not be served', () => {
  const hidden = ['.env', '.git/config', 'a/.DS_Store', '__MACOSX/._index.html', '__MACOSX/a.exe'];
  const entries = [index, ...hidden.map((name) => of(name, bytes)), of('a/__MACOSX/b.js')];
  expect(plannedFiles(entries).map(({ path }) => path)).toEqual(['index.html', 'a/__MACOSX/b.js']);
});

it.each(['setup.exe', 'nested.zip', 'LICENSE', 'a.js/', 'a.constructor', 'page.php', 'a.html.'])(
  'refuses %s by its ending',
  (name) => expect(faults(index, of(name))).toContain(`${name}: pages serve no files with this ending`),
);

it.each([[[]], [[of('site/index.html')]], [[of('Index.html')]], [[of('index.htm')]]])(
  'requires index.html at the top: %j',
  (entries) => expect(faults(...entries)).toEqual(['index.html is missing at the top of the zip file']),
);

it('limits a path in bytes, and requires names of folders', () => {
  const path = (length: number) => of(`${'é'.repeat((length - 4) / 2)}.css`);
  expect(faults(index, path(bytesOfPath))).toEqual([]);
  expect(faults(index, path(bytesOfPath + 2))).toEqual([expect.stringContaining(`at most ${bytesOfPath} bytes`)]);
  expect(faults(index, of('a//b.css'))).toEqual(['a//b.css: a folder has no name']);
});

it('limits the size of each file', () => {
  expect(faults(of('index.html', bytesOfFile), of('a.js', bytesOfFile))).toEqual([]);
  expect(faults(index, of('a.js', bytesOfFile + 1))).toEqual([`a.js: it unpacks to more than ${bytesOfFile} bytes`]);
});

it('limits the files and their bytes together', () => {
  const many = (count: number) => Array.from({ length: count }, (_file, at) => of(`${at}.txt`, 1));
  expect(faults(index, ...many(files - 1))).toEqual([]);
  expect(faults(index, ...many(files))).toEqual([`It has more than ${files} files`]);
  const large = (total: number) => {
    const whole = Math.floor(total / bytesOfFile);
    return [
      ...Array.from({ length: whole }, (_file, at) => of(`${at}.txt`, bytesOfFile)),
      of('r.txt', total % bytesOfFile),
    ];
  };
  expect(faults(index, ...large(bytes - index.bytes))).toEqual([]);
  expect(faults(index, ...large(bytes - index.bytes + 1))).toEqual([`It unpacks to more than ${bytes} bytes`]);
});

it('names at most 20 faults', () => {
  const bad = Array.from({ length: 25 }, (_file, at) => of(`${at}.exe`));
  expect(faults(index, ...bad)).toHaveLength(20);
});
