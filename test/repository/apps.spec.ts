import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, consumersOf } from '@lyceum/contracts';

const root = join(__dirname, '../..');

/** The names in code spans of the lines that begin with a text. */
function namesIn(readme: string, beginning: string): string[] {
  const lines = readme.split('\n').filter((line) => line.startsWith(beginning));
  return lines.flatMap((line) => [...line.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name));
}

describe.each(SERVICES)('the README of %s', (service) => {
  const readme = readFileSync(join(root, 'apps', service, 'README.md'), 'utf8');

  it('names each folder of the source once', () => {
    const folders = readdirSync(join(root, 'apps', service, 'src'), { withFileTypes: true });
    const rows = readme.split('\n').filter((line) => line.startsWith('| '));
    const named = rows.flatMap((row) => namesIn(row.split('|')[2] ?? '', ''));
    expect(folders.length).toBeGreaterThan(5);
    expect(named.toSorted()).toEqual(
      folders
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('names each consumer of events', () => {
    const consumers = consumersOf(service).map(({ reader }) => reader);
    expect(namesIn(readme, '- **Reads**').toSorted()).toEqual(consumers.toSorted());
  });
});
