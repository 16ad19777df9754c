import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const CATALOG = 'libs/messages/src/en/';
/** `permissions.ts` takes its texts from the contract. */
const NOT_TEXTS = new Set(['index.ts', 'translation.ts', 'permissions.ts'].map((file) => CATALOG + file));

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const keysIn = (file: string): string[] => [...read(file).matchAll(/^ {2}'([\w.]+)':/gm)].map(([, key = '']) => key);

/** Uses of messages in the sources of packages, without comments. */
function usesIn(...packages: string[]): (key: string) => boolean {
  const isSource = (file: string): boolean =>
    packages.some((name) => file.startsWith(`${name}/src/`)) && file.endsWith('.ts') && !file.endsWith('.spec.ts');
  const sources = tracked.filter(isSource).map((file) => read(file).replace(/\/\*[^]*?\*\//g, ''));
  const names = new Set(sources.flatMap((text) => [...text.matchAll(/'([\w.]+)'/g)].map(([, name]) => name)));
  // Keys with an inserted part, such as `error.${code}`. The part has a dot only after a literal beginning.
  const patterns = sources
    .flatMap((text) => [...text.matchAll(/(?:say|phrase|textOf)\([^`)]*`([^`<]+)`/g)].map(([, key = '']) => key))
    .map((key) => {
      const inserted = key.startsWith('$') ? '[\\w:]+' : '[\\w:.]+';
      return new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$\{[^}]+\}/g, inserted)}$`);
    });
  return (key) => names.has(key) || patterns.some((pattern) => pattern.test(key));
}

const inAuth = usesIn('apps/auth', 'libs/pages');
const inMemberApi = usesIn('apps/member-api');
/** The users of files whose texts auth does not show. */
const OTHER_USERS: Readonly<Record<string, (key: string) => boolean>> = {
  // Events name the acts and the objects.
  'activity.ts': (key) => /^activity(?:_act\.|_object\.|\.(?:fields|unknown)$)/.test(key),
  'notifications.ts': inMemberApi,
  'unsubscribe.ts': inMemberApi,
  'connect.ts': usesIn('apps/mcp-gateway'),
};

describe('the catalog of texts', () => {
  const files = tracked.filter((file) => file.startsWith(CATALOG) && !NOT_TEXTS.has(file));

  it.each(files)('finds no unused message in %s', (file) => {
    const keys = keysIn(file);
    const isUsed = OTHER_USERS[file.slice(CATALOG.length)] ?? inAuth;
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('gives each key to one file only', () => {
    const keys = files.flatMap(keysIn);
    expect(keys.length).toBeGreaterThan(300);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('finds an unused message', () => {
    expect(['sign_in.title', 'error.server_error', 'sign_in.unused', 'unused.title'].map(inAuth)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
