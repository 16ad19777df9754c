import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startsWithVerb, testNames } from './test-names.ts';

const root = join(__dirname, '../..');

/** Phrases that the project's language avoids: name the subject, or use the field's word. */
const BANNED =
  /\b(nobody|whoever|whatever|anew|once more|(?:is|are|was|were) told|hears|heard|that there (?:is|are) not?)\b/i;

/** Texts of other people, quotations, and the list of phrases itself. */
const EXEMPT: Readonly<Record<string, string>> = {
  'test/repository/language.spec.ts': 'lists the phrases',
  'package-lock.json': 'names of packages',
};

/** Sentences of comments that name no subject. */
const NO_SUBJECT = /(?:^\s*(?:\/\*\*?|\*|\/\/)|\s\/\/|\/\*\*)(?:.*[.:])?\s+(?:What|Who|Whoever|Whatever|Of)\s/;

/** Descriptions and error texts that name no subject. */
const NO_SUBJECT_TEXT = /\b(?:description|describe|detail|hint|summary)(?:: |\()['"`](?:What|Who|Whose|Of)\s/;

/** Folders in which each test name starts with a verb. */
const NAMED_BY_VERBS = ['apps/', 'deploy/', 'libs/', 'test/', 'tools/'];

/** The formatter wraps code, but no comments. */
const COMMENT_WIDTH = 120;
const isLongComment = (line: string): boolean => line.length > COMMENT_WIDTH && /^\s*(?:\/\*|\*[ /]|\/\/)/.test(line);

/** Sources that contain tests as text. */
const TESTS_AS_TEXT = new Set([
  'test/run/run.spec.ts',
  'test/run/second-run.spec.ts',
  'test/repository/language.spec.ts',
]);

/** Released migrations do not change. */
const isReleased = (file: string): boolean => file.includes('/migrations/');

const isText = (file: string): boolean =>
  /\.(ts|mts|mjs|cjs|js|md|ya?ml|json|html|css|graphql|sql|svg|sh)$|Dockerfile$|^\.ci\//.test(file);

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sourcesIn = (folders: readonly string[]): string[] =>
  tracked.filter((file) => /\.(ts|mts|mjs|js)$/.test(file) && folders.some((folder) => file.startsWith(folder)));

describe('the language of the project', () => {
  it('avoids the banned phrases', () => {
    const texts = tracked.filter((file) => isText(file) && !isReleased(file) && !(file in EXEMPT));
    expect(texts.length).toBeGreaterThan(500);
    const found = texts.flatMap((file) =>
      read(file)
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

  it.each(NAMED_BY_VERBS)('starts each test name in %s with a verb', (folder) => {
    const names = sourcesIn([folder])
      .filter((file) => !TESTS_AS_TEXT.has(file))
      .flatMap((file) => testNames(read(file)).map((name) => ({ file, name })));
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter(({ name }) => !startsWithVerb(name))).toEqual([]);
  });

  it('finds the names of tests, of tables and of templates', () => {
    const source = `
      it('returns one', () => undefined);
      it.each([['(', 1]] as const)('returns %s', () => undefined);
      it.each<string>(rows)('has two', async () => undefined, 30_000);
      it.each\`a | b\`('is three', () => undefined);
      test.failing(\`sends \${n} mails\`, () => undefined);
      it.each([['reads a', 1], ['a b', 2], [c, 3]] as const)('%s twice', () => undefined);
      it.each(['writes d'])('%s', () => undefined);
      it.each(rows)('%s', () => undefined);
      submit('is no test'); describe('a page', () => undefined);`;
    expect(testNames(source)).toEqual([
      'returns one',
      'returns %s',
      'has two',
      'is three',
      'sends ${n} mails',
      'reads a twice',
      'a b twice',
      '%s twice',
      'writes d',
      '%s',
    ]);
  });

  it.each([
    'is refused',
    'has a code',
    'are cached',
    'what is sent',
    'the page of a site',
    '%s',
    '$caller × $action',
    'refuse a request',
    'Returns one',
    'does it',
    '',
  ])('rejects the test name "%s"', (name) => {
    expect(startsWithVerb(name)).toBe(false);
  });

  it.each(['returns 404', 're-reads the keys', 'never redirects', 'does not list', 'cannot register', 'neither reads'])(
    'accepts the test name "%s"',
    (name) => {
      expect(startsWithVerb(name)).toBe(true);
    },
  );

  it('names the subject of each sentence in comments and descriptions', () => {
    const sources = sourcesIn(['']).filter((file) => !TESTS_AS_TEXT.has(file) && !isReleased(file));
    expect(sources.length).toBeGreaterThan(1_000);
    const found = sources.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          NO_SUBJECT.test(line) || NO_SUBJECT_TEXT.test(line)
            ? [`${file}:${index + 1} ${line.trim().slice(0, 100)}`]
            : [],
        ),
    );
    expect(found).toEqual([]);
  });

  it('wraps comments at 120 characters', () => {
    const sources = sourcesIn(['']).filter((file) => !TESTS_AS_TEXT.has(file) && !isReleased(file));
    const found = sources.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (isLongComment(line) ? [`${file}:${index + 1}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it.each([
    [`  // ${'x'.repeat(115)}`, false],
    [`  // ${'x'.repeat(116)}`, true],
    [` * ${'x'.repeat(118)}`, true],
    [`/** ${'x'.repeat(118)} */`, true],
    [`const a = '${'x'.repeat(118)}'; // b`, false],
    [`**bold** ${'x'.repeat(118)}`, false],
  ])('measures the comment %s: %p', (line, long) => {
    expect(isLongComment(line)).toBe(long);
  });

  it.each([
    '/** What a page shows. */',
    '  // Who may read it.',
    'const a = 1; // Of a site.',
    ' * Whoever signs in. More.',
    '/** Sends it. What fails is logged. */',
  ])('finds a comment without a subject: %s', (line) => {
    expect(NO_SUBJECT.test(line)).toBe(true);
  });

  it.each([`meta({ description: 'Of a course' })`, `.describe("What it is")`, "hint: 'Who reads it'"])(
    'finds a text without a subject: %s',
    (line) => {
      expect(NO_SUBJECT_TEXT.test(line)).toBe(true);
    },
  );

  it.each(["it('What is it')", '/** Says what it is. */', '// Whole pages.', "'What is the capital?'"])(
    'accepts the line %s',
    (line) => {
      expect(NO_SUBJECT.test(line) || NO_SUBJECT_TEXT.test(line)).toBe(false);
    },
  );
});
