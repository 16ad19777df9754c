import { runForReader } from '@lyceum/platform';
import { REVOCATION_REASONS } from './audit-entry.js';
import { AUDIT_EVENTS, auditSentence } from './audit-sentence.policy.js';

const facts = { person: 'Ann', client: 'Notes', details: {} };

it.each([
  ['sign_in.succeeded', { details: { method: 'passkey' } }, 'Ann signed in with a passkey'],
  ['sign_in.failed', { details: { method: 'password' } }, 'A sign-in as Ann with a password failed'],
  ['sign_in.failed', { person: null }, 'A sign-in failed: no member of this site has the address'],
  ['sign_in.failed', { person: null, details: { method: 'passkey' } }, 'A sign-in with a passkey failed'],
  ['client.reviewed', { details: { to: 'blocked' } }, 'Ann blocked Notes'],
  ['client.reviewed', { details: { from: 'blocked', to: 'unreviewed' } }, 'Ann unblocked Notes'],
  ['client.reviewed', { details: { from: 'approved', to: 'unreviewed' } }, 'Ann withdrew the review of Notes'],
  ['client.reviewed', { person: null, details: { to: 'approved' } }, 'A command approved Notes'],
  ['client.changed', { details: { secret: 'renewed' } }, 'Ann renewed the secret of Notes'],
  ['client.changed', { details: { from: {} } }, 'Notes published another description of itself, and is unreviewed'],
  ['grants.revoked', { details: { reason: 'revoked_by_person' } }, 'The access of Notes for Ann ended: disconnected'],
  ['grants.revoked', { details: { reason: '__proto__' } }, 'The access of Notes for Ann ended'],
  ['consent.given', { person: null, client: null }, 'A person allowed an application'],
  [
    'role.changed',
    { details: { before: ['student'], after: ['lecturer', 'admin'] } },
    'The roles of Ann were changed from student to admin and lecturer',
  ],
  ['member.removed', {}, 'Ann was removed from the site'],
  ['member.removed', { person: null, details: { left: true } }, 'A person left the site'],
  ['role.changed', { details: { before: [] } }, 'The roles of Ann were changed from none to none'],
  [
    'role.changed',
    { details: { after: ['teaching_assistant'] }, by: 'Bo' },
    'The roles of Ann were changed from none to teaching assistant by Bo',
  ],
  ['member.suspended', { by: 'Bo' }, 'Ann was suspended by Bo'],
  ['member.removed', { person: null, by: null }, 'A person was removed from the site'],
  ['client.changed', { details: { changed: ['name', 'redirect_uris'] } }, 'Ann changed Notes: name and redirect URIs'],
  ['client.changed', { details: { secret: 'previous_ended' } }, 'Ann ended the old secret of Notes'],
  [
    'site.changed',
    { details: { settings: { cimd_open: true } } },
    'Ann changed the settings of the site: documents from every host',
  ],
  ['site.changed', { person: null, details: { name: 'x' } }, 'The settings of the site changed: name'],
  ['site.changed', { person: null, details: { settings: null } }, 'The settings of the site changed: none'],
  ['site.changed', { person: null, details: { loved: 1 } }, 'The settings of the site changed: none'],
  ['client.created', { person: 'a command line' }, 'a command line created Notes'],
  ['constructor', {}, 'constructor'],
])('describes %s with %j', (event, more, expected) => {
  expect(auditSentence({ ...facts, ...more, event })).toBe(expected);
});

it('describes each event by a sentence without its code', () => {
  expect(AUDIT_EVENTS.length).toBeGreaterThan(30);
  for (const event of AUDIT_EVENTS) {
    const sentence = auditSentence({ ...facts, event });
    expect(sentence).toMatch(/^[A-Z][^_{}]+$/);
    expect(sentence).not.toContain(event);
  }
});

it('describes each event in Chinese, with names in quotation marks', () => {
  const inChinese = (event: string, more: object = {}): string =>
    runForReader({ person: 'zh-TW' }, () => auditSentence({ ...facts, ...more, event }));
  for (const event of AUDIT_EVENTS) expect(inChinese(event)).toMatch(/^[「」\p{Script=Han}：，AnNotes]+$/u);
  const roles = { details: { before: ['student'], after: ['admin', 'lecturer'] }, by: 'Bo' };
  expect(inChinese('role.changed', roles)).toBe('「Bo」將「Ann」的角色從學生變更為管理員和講師');
  expect(inChinese('consent.given', { person: null })).toBe('某人允許了「Notes」');
  expect(inChinese('grants.revoked', { details: { reason: 'revoked_by_person' } })).toBe(
    '「Notes」對「Ann」帳號的存取權已結束：已中斷連結',
  );
});

it('names the reason of each revocation', () => {
  const sentences = REVOCATION_REASONS.map((reason) =>
    auditSentence({ ...facts, event: 'grants.revoked', details: { reason } }),
  );
  for (const sentence of sentences) expect(sentence).toMatch(/ended: [a-z]/);
});
