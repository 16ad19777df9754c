import {
  COMMAND_ERROR_CODES,
  STOREFRONT_COMMANDS,
  commandReplySchema,
  isCaller,
  natsAccounts,
  recordProgress,
} from '../index.js';

const ID = '0199f6a0-0000-7000-8000-000000000001';
const COMMAND = {
  idempotency_key: 'player-1',
  site: 'org_0f',
  student: { member_id: ID },
  course: { external_id: 'course-1' },
  lecture: { id: ID },
  position_seconds: 1,
  occurred_at: '2026-11-20T22:00:00.000Z',
};

it('fills in what a player does not know', () => {
  expect(recordProgress.input.parse(COMMAND)).toEqual({ ...COMMAND, completed: false });
});

it.each<[string, unknown]>([
  ['idempotency_key', '!'],
  ['idempotency_key', 'x'.repeat(255)],
  ['site', `org_${'a'.repeat(64)}`],
  ['student', { id: ID }],
  ['student', { external_id: 'x'.repeat(255) }],
  ['course', { id: ID }],
  ['lecture', { external_id: 'x'.repeat(255) }],
  ['position_seconds', 0],
  ['position_seconds', 2_147_483_647],
  ['completed', true],
])('accepts %s %j', (member, value) => {
  expect(recordProgress.input.safeParse({ ...COMMAND, [member]: value }).error).toBeUndefined();
});

it.each<[string, unknown]>([
  ['idempotency_key', undefined],
  ['idempotency_key', ''],
  ['idempotency_key', 'x'.repeat(256)],
  ['idempotency_key', 'two words'],
  ['site', ID],
  ['site', 'org_'],
  ['site', `org_${'a'.repeat(65)}`],
  ['site', 'org_a.b'],
  ['student', {}],
  ['student', { id: ID, external_id: 'x' }],
  ['student', { external_id: '' }],
  ['student', { external_id: 'x'.repeat(256) }],
  ['student', { email: 'mei@example.com' }],
  ['course', { slug: 'oil' }],
  ['lecture', undefined],
  ['lecture', ID],
  ['lecture', { id: 'first' }],
  ['lecture', { id: ID, external_id: 'x' }],
  ['lecture', { external_id: '' }],
  ['lecture', { external_id: 'x'.repeat(256) }],
  ['lecture_id', ID],
  ['lecture_title', 'One'],
  ['position_seconds', -1],
  ['position_seconds', 0.5],
  ['position_seconds', 2_147_483_648],
  ['completed', null],
  ['completion_rate', 0.5],
  ['occurred_at', '2026-11-20T22:00:00Z'],
  ['occurred_at', '2026-11-20T22:00:00.000+08:00'],
  ['person_id', ID],
])('refuses %s %j', (member, value) => {
  expect(recordProgress.input.safeParse({ ...COMMAND, [member]: value }).success).toBe(false);
});

it('has a closed list of errors', () => {
  const reply = commandReplySchema(recordProgress.output);
  const error = (code: string) => ({ ok: false, error: { code, detail: 'x' } });
  for (const code of COMMAND_ERROR_CODES) expect(reply.safeParse(error(code)).success).toBe(true);
  expect(reply.safeParse(error('forbidden')).success).toBe(false);
});

describe('the NATS user of the storefront', () => {
  const user = natsAccounts(String)['storefront'];

  it('sends its commands, receives the replies, and nothing else', () => {
    expect(user?.users).toEqual([
      {
        user: 'storefront',
        password: 'storefront',
        permissions: {
          publish: { allow: STOREFRONT_COMMANDS.map(({ subject }) => subject) },
          subscribe: { allow: ['_INBOX_storefront.>'] },
        },
      },
    ]);
    expect(user?.exports).toEqual([]);
  });

  it('sends no command on the subject of an event', () => {
    for (const { subject } of STOREFRONT_COMMANDS) expect(subject).toMatch(/^commands\./);
  });

  it.each([
    ['storefront', true],
    ['mcp-gateway', false],
    ['member-api', false],
  ])('is the one whose commands admin-api answers: %s %p', (account, isAnswered) => {
    expect(isCaller('admin-api', recordProgress.subject, { reply: '_R_.x', account })).toBe(isAnswered);
  });
});
