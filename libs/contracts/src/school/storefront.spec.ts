import {
  COMMAND_ERROR_CODES,
  ORDER_LIMITS,
  STOREFRONT_COMMANDS,
  commandReplySchema,
  callerCheck,
  REVIEW_LIMITS,
  natsAccounts,
  postReview,
  recordOrder,
  recordProgress,
  refundOrder,
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

it('reads ids in lower case', () => {
  const id = ID.toUpperCase();
  const progress = { ...COMMAND, student: { member_id: id }, lecture: { id } };
  expect(recordProgress.input.parse(progress)).toMatchObject({ student: { member_id: ID }, lecture: { id: ID } });
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
  ['occurred_at', '0001-01-01T00:00:00.000Z'],
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
  ['lecture', { external_id: 'a\u0000' }],
  ['occurred_at', '0000-12-31T23:59:59.999Z'],
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

it('accepts a closed list of errors', () => {
  const reply = commandReplySchema(recordProgress.output);
  const error = (code: string) => ({ ok: false, error: { code, detail: 'x' } });
  for (const code of COMMAND_ERROR_CODES) expect(reply.safeParse(error(code)).success).toBe(true);
  expect(reply.safeParse(error('forbidden')).success).toBe(false);
});

const { lecture: _lecture, position_seconds: _position, ...COMMON } = COMMAND;
const REVIEW = { ...COMMON, rating: 5, body: 'Text' };

it.each<[string, unknown, boolean]>([
  ['rating', 1, true],
  ['rating', 0, false],
  ['rating', 6, false],
  ['rating', 4.5, false],
  ['title', null, true],
  ['title', 'x'.repeat(REVIEW_LIMITS.title), true],
  ['title', 'x'.repeat(REVIEW_LIMITS.title + 1), false],
  ['title', 'two\nlines', false],
  ['title', '', false],
  ['body', 'two\nlines', true],
  ['body', 'x'.repeat(REVIEW_LIMITS.body), true],
  ['body', 'x'.repeat(REVIEW_LIMITS.body + 1), false],
  ['body', '\u0000', false],
  ['body', '\ud800', false],
  ['body', ' ', false],
  ['body', undefined, false],
  ['occurred_at', '0001-01-01T00:00:00.000Z', true],
  ['occurred_at', '0000-12-31T23:59:59.999Z', false],
])('decides about a review with %s %j: %p', (member, value, accepted) => {
  expect(postReview.input.safeParse({ ...REVIEW, [member]: value }).success).toBe(accepted);
});

const LINE = { item_type: 'course_plan', item: { id: ID }, name: 'A plan', unit_amount_minor: 100 };
const ORDER = {
  idempotency_key: 'order-1',
  site: 'org_0f',
  number: '1',
  state: 'paid',
  student: { id: ID },
  currency: 'TWD',
  line_items: [LINE],
  subtotal_minor: 100,
  total_minor: 100,
  paid_at: '2026-11-20T22:00:00.000Z',
};

it('fills in what a checkout leaves out', () => {
  expect(recordOrder.input.parse(ORDER)).toEqual({
    ...ORDER,
    line_items: [{ ...LINE, quantity: 1, discount_minor: 0, tax_minor: 0 }],
    coupon_code: null,
    discount_minor: 0,
    tax_minor: 0,
    tax_included: false,
    payment_method: null,
    source: 'storefront',
    subscription_id: null,
  });
});

it.each<[string, unknown, boolean]>([
  ['number', 'x'.repeat(255), true],
  ['number', 'x'.repeat(256), false],
  ['state', 'expired', true],
  ['state', 'refunded', false],
  ['currency', 'twd', false],
  ['line_items', [], false],
  ['line_items', Array.from({ length: ORDER_LIMITS.lines }, () => LINE), true],
  ['line_items', Array.from({ length: ORDER_LIMITS.lines + 1 }, () => LINE), false],
  ['line_items', [{ ...LINE, item_type: 'gift' }], false],
  ['line_items', [{ ...LINE, quantity: ORDER_LIMITS.quantity }], true],
  ['line_items', [{ ...LINE, quantity: ORDER_LIMITS.quantity + 1 }], false],
  ['line_items', [{ ...LINE, quantity: 0 }], false],
  ['line_items', [{ ...LINE, unit_amount_minor: 0.5 }], false],
  ['line_items', [{ ...LINE, unit_amount_minor: -1 }], false],
  ['total_minor', Number.MAX_SAFE_INTEGER, true],
  ['total_minor', 2 ** 53, false],
  ['payment_method', 'two\nlines', false],
  ['source', 'web-2', true],
  ['source', 'Web', false],
  ['paid_at', '0000-12-31T23:59:59.999Z', false],
  ['paid_at', null, true],
])('decides about an order with %s %j: %p', (member, value, accepted) => {
  expect(recordOrder.input.safeParse({ ...ORDER, [member]: value }).success).toBe(accepted);
});

it.each<[object, boolean]>([
  [{ order: { number: '1' }, amount_minor: 1 }, true],
  [{ order: { id: ID }, line_items: [{ position: 1, quantity: 1 }] }, true],
  [{ order: { id: ID, number: '1' }, amount_minor: 1 }, false],
  [{ order: { id: ID }, line_items: [] }, false],
  [{ order: { id: ID }, line_items: [{ position: 0, quantity: 1 }] }, false],
])('decides about the refund %j: %p', (refund, accepted) => {
  const { idempotency_key, site, paid_at: refunded_at } = ORDER;
  expect(refundOrder.input.safeParse({ idempotency_key, site, refunded_at, ...refund }).success).toBe(accepted);
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
  ])('sends the commands that admin-api handles: %s %p', (account, isAnswered) => {
    expect(callerCheck('admin-api', recordProgress.subject)({ reply: '_R_.x', account })).toBe(isAnswered);
  });
});
