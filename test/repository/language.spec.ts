import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Phrases that the project's language avoids: name the subject, or use the field's word. */
const BANNED =
  /\b(nobody|whoever|whatever|anew|once more|(?:is|are|was|were) told|hears|heard|that there (?:is|are) not?)\b/i;

/** Texts of other people, quotations, and the list of phrases itself. */
const EXEMPT: Readonly<Record<string, string>> = {
  'test/repository/language.spec.ts': 'lists the phrases',
  'package-lock.json': 'names of packages',
};

/** Released migrations do not change. */
const isReleased = (file: string): boolean => file.includes('/migrations/');

const isText = (file: string): boolean =>
  /\.(ts|mts|mjs|cjs|js|md|ya?ml|json|html|css|graphql|sql|svg|sh)$|Dockerfile$|^\.ci\//.test(file);

describe('the language of the project', () => {
  it('avoids the banned phrases', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    const texts = tracked.filter((file) => isText(file) && !isReleased(file) && !(file in EXEMPT));
    expect(texts.length).toBeGreaterThan(500);
    const found = texts.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (BANNED.test(line) ? [`${file}:${index + 1} ${line.trim().slice(0, 100)}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it.each(['Nobody answers', 'whoever asks', 'is built anew', 'hears of it', 'said that there is no way'])(
    'finds "%s"',
    (text) => {
      expect(BANNED.test(text)).toBe(true);
    },
  );

  it.each(['snobodyx', 'the newest', 'there is no course'])('accepts "%s"', (text) => {
    expect(BANNED.test(text)).toBe(false);
  });
});
