import { UNDO_SECONDS, UnsubscribeLinks } from './unsubscribe-links.js';

const SITE = { site_id: 'one', base_url: 'https://one.example' };
const WHAT = {
  person_id: '01a1fb4f-0000-7000-8000-000000000001',
  subscription_id: 'c0ffee00-1234-8abc-8def-0123456789ab',
};
const links = new UnsubscribeLinks([Buffer.alloc(32, 7)]);
const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';
const token = tokenOf(links.write(SITE, WHAT));

it('writes a link at the site with person and subscription', () => {
  expect(links.write(SITE, WHAT)).toMatch(/^https:\/\/one\.example\/member\/unsubscribe\?token=[\w-]{64}$/);
  expect(links.read(SITE, token)).toEqual(WHAT);
});

it.each([
  ['nothing', undefined],
  ['a list', [token]],
  ['an empty text', ''],
  ['a truncated token', token.slice(0, -1)],
  ['a longer token', `${token}A`],
  ['a changed token', `B${token.slice(1)}`],
  ['a token of another key', tokenOf(new UnsubscribeLinks([Buffer.alloc(32, 8)]).write(SITE, WHAT))],
])('rejects %s as an unsubscribe token', (_what, given) => {
  expect(links.read(SITE, given)).toBeUndefined();
});

it('reads a token of a mail from before a switch of keys', () => {
  const switched = new UnsubscribeLinks([Buffer.alloc(32, 8), Buffer.alloc(32, 7)]);
  expect(switched.read(SITE, token)).toEqual(WHAT);
});

it('rejects an unsubscribe token of another site', () => {
  expect(links.read({ site_id: 'two' }, token)).toBeUndefined();
});

describe('the token that reverses an unsubscription', () => {
  const MADE = Date.parse('2026-11-01T12:00:00Z');
  const undo = links.undoToken(SITE, WHAT, MADE);

  it.each([
    [0, WHAT],
    [UNDO_SECONDS - 1, WHAT],
    [UNDO_SECONDS, undefined],
    [-1, undefined],
  ])('reads it %d seconds later as %p', (seconds, expected) => {
    expect(links.readUndo(SITE, undo, MADE + seconds * 1_000)).toEqual(expected);
  });

  it('differs from the token of a mail, and belongs to one site', () => {
    expect(links.readUndo(SITE, token, MADE)).toBeUndefined();
    expect(links.read(SITE, undo)).toBeUndefined();
    expect(links.readUndo({ site_id: 'two' }, undo, MADE)).toBeUndefined();
    expect(links.readUndo(SITE, [undo], MADE)).toBeUndefined();
  });
});
