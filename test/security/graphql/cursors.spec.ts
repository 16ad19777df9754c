import { execute, memberToken, otherSite, site, somebodyElse } from './attack.js';

type Connection = 'enrolledCourses' | 'notifications';

interface Page {
  readonly viewer: Readonly<Record<string, { readonly pageInfo: { readonly endCursor: string } }>>;
}

const page = (connection: Connection, more = 'first: 1'): string =>
  `query ($at: String) { viewer { ${connection}(${more}, after: $at) { nodes { id } pageInfo { endCursor } } } }`;

async function cursor(token: string, connection: Connection, at = site): Promise<string> {
  const { data, text } = await execute(page(connection), token, {}, at);
  const { endCursor } = (data as Page).viewer[connection]!.pageInfo;
  if (typeof endCursor !== 'string') throw new Error(`No cursor: ${text}`);
  return endCursor;
}

let token: string;
let own: string;
beforeAll(async () => {
  token = await memberToken();
  own = await cursor(token, 'enrolledCourses');
});

const expectRefused = async (at: string, connection: Connection = 'enrolledCourses'): Promise<void> => {
  const { status, codes, text } = await execute(page(connection), token, { at });
  expect([status, codes]).toEqual([200, ['INVALID_CURSOR']]);
  expect(text).not.toContain('stack');
};

it('continues a list from its own cursor', async () => {
  const { codes } = await execute(page('enrolledCourses'), token, { at: own });
  expect(codes).toEqual([]);
});

describe('a cursor of another list', () => {
  it('refuses a cursor of another person', async () => {
    await expectRefused(await cursor(await memberToken(site, somebodyElse()), 'enrolledCourses'));
  });

  it('refuses a cursor of another site', async () => {
    const both = (at: typeof site) => at.people.find(({ email }) => email === 'student@both.example')!;
    const here = await memberToken(site, both(site));
    const there = await cursor(await memberToken(otherSite, both(otherSite)), 'enrolledCourses', otherSite);
    const { codes } = await execute(page('enrolledCourses'), here, { at: there });
    expect(codes).toEqual(['INVALID_CURSOR']);
  });

  it('refuses a cursor at another connection', () => expectRefused(own, 'notifications'));

  it('refuses a cursor with any character changed', async () => {
    const changed = Array.from(
      own,
      (character, at) => own.slice(0, at) + (character === 'A' ? 'B' : 'A') + own.slice(at + 1),
    );
    expect(changed.length).toBeGreaterThan(20);
    // Every fifth character.
    for (const at of changed.filter((_, n) => n % 5 === 0)) await expectRefused(at);
  });

  it.each([
    ['cut', () => own.slice(0, -4)],
    ['lengthened', () => `${own}AAAA`],
    ['twice', () => own + own],
    ['padded', () => `${own}==`],
    ['empty', () => ' '],
    [
      'plain JSON',
      () => Buffer.from('["2026-01-01T00:00:00Z","018f0000-0000-7000-8000-000000000000"]').toString('base64url'),
    ],
    ['SQL', () => `' OR 1=1 --`],
    ['a NUL', () => '\u0000'],
    ['half a surrogate', () => '\uD800'],
    ['very long', () => 'A'.repeat(100_000)],
  ])('refuses a cursor that is %s', (_what, made) => expectRefused(made()));
});
