import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const CONTRACTS = 'libs/contracts/src';

/** The owners of a folder by its own line, without the lines of the folders above it. */
function ownersOf(folder: string): readonly string[] {
  const lines = readFileSync(join(root, 'CODEOWNERS'), 'utf8').split('\n');
  return (
    lines
      .map((line) => line.split(/\s+/))
      .find(([pattern]) => pattern === `/${folder}/`)
      ?.slice(1) ?? []
  );
}

const contexts = readdirSync(join(root, CONTRACTS), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

it('finds the contexts of the contracts', () => {
  expect(contexts).toEqual(expect.arrayContaining(['identity', 'school', 'learner', 'tools']));
});

it.each(contexts)('names one owner of the contracts of %s', (context) => {
  expect(ownersOf(`${CONTRACTS}/${context}`)).toHaveLength(1);
});
