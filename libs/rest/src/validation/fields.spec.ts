import { z } from 'zod';
import { parameterSchema } from '../openapi/schemas.js';
import {
  INSTANT_OR_DATE,
  email,
  httpsUrl,
  instant,
  instantText,
  locale,
  metadata,
  multiline,
  name,
  optionalBody,
  phoneNumber,
  slug,
  tags,
  text,
  timezone,
} from './fields.js';

const ok = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** An object with so many keys. */
const recordOf = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 'a']));

it.each<[string, z.ZodType, unknown[], unknown[]]>([
  [
    'text',
    text(5),
    ['a', 'abcde', ' ab ', 'a\u200db', 'ab\n'],
    ['', '   ', 'abcdef', 'a\u0000', 'a\u0007', 'a\u009b', 'a\nb', 'a\rb', 'a\tb', 'a\u2028b', 'a\u2029b', '\ud800', 7],
  ],
  [
    'name',
    name(5),
    ['a', 'abcde', '林 美', 'می\u200cخ'],
    ['', 'abcdef', 'a\nb', 'a\u200db', 'a\u202eb', 'a\u00adb', 'a\ufeffb'],
  ],
  ['multiline', multiline(5), ['', ' a ', 'a\r\nb', 'a\tb', 'a\u2028b'], ['abcdef', 'a\u0000', 'a\u0007', '\ud800', 7]],
  ['slug', slug, ['a', 'a-b-9', 'x'.repeat(100)], ['', 'A', '-a', 'a-', 'a--b', 'a b', 'é', 'x'.repeat(101)]],
  [
    'email',
    email,
    [
      'a@example.com',
      'A.B+c@Example.COM',
      "o'_-+9@a-1.example",
      'a@example.xn--kpry57d',
      'a@xn--kpry57d.XN--KPRY57D',
      `a@example.xn--${'x'.repeat(59)}`,
    ],
    [
      'a',
      'a@b',
      '@example.com',
      ' a@example.com',
      'a\u0000@example.com',
      '.a@example.com',
      'a..b@example.com',
      'a.@example.com',
      'a@-b.example',
      'a@example.c',
      'a@example.a1',
      'a@xn--kpry57d',
      'a@example.xn--',
      'a@example.xn--kpry57d-',
      'a@example.yn--kpry57d',
      `a@example.xn--${'x'.repeat(60)}`,
    ],
  ],
  [
    'https URL',
    httpsUrl,
    ['https://a.example/x.png?y=1'],
    ['http://a.example', 'javascript:alert(1)', '//a.example', 'https://', 'https://localhost', 'x'.repeat(3000)],
  ],
  ['locale', locale, ['en', 'zh-TW', 'zh-Hant-TW'], ['EN', 'zh_TW', 'english', '']],
  [
    'time zone',
    timezone,
    ['UTC', 'Asia/Taipei', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires'],
    ['', 'Asia/Nowhere', '+08:00', 'Asia/Taipei ', `Asia/${'x'.repeat(60)}`],
  ],
  ['phone number', phoneNumber, ['+886912345678'], ['0912345678', '+0123456789', '+88691234567890123', '+886 912']],
  [
    'metadata',
    metadata,
    [{}, { a: 'b' }, { a: '' }, { 'crm.id-1_x': 'x'.repeat(500) }, recordOf(50)],
    [{ a: 'x'.repeat(501) }, { a: 1 }, { '': 'a' }, { 'a b': 'a' }, { ['x'.repeat(41)]: 'a' }, recordOf(51), []],
  ],
  ['tags', tags, [[], ['a', 'b']], [['a', 'a'], [''], Array.from({ length: 51 }, (_, i) => `t${i}`)]],
  [
    'instant',
    instant,
    ['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123456+08:00', '9999-12-31T23:59:59Z'],
    ['2026-02-30', '0000-06-01', '0000-06-01T00:00:00Z', '2026-13-01T00:00:00Z', '9999-12-31T23:59:59-00:01', 'now'],
  ],
])('checks %s', (_name, schema, good, bad) => {
  expect(good.filter((value) => !ok(schema, value))).toEqual([]);
  expect(bad.filter((value) => ok(schema, value))).toEqual([]);
});

it('spells a time zone as the database of time zones does', () => {
  expect(timezone.parse('aSIA/tAIPEI')).toBe('Asia/Taipei');
  expect(z.toJSONSchema(timezone)).toMatchObject({ type: 'string' });
});

describe('the description of an instant in a request', () => {
  const pattern = new RegExp(INSTANT_OR_DATE.pattern);

  it('accepts dates and instants by a pattern in place of a format, in bodies and queries', () => {
    const body = z.toJSONSchema(instant, { io: 'input' });
    expect(body).toMatchObject({ type: 'string', maxLength: 40, ...INSTANT_OR_DATE });
    expect(parameterSchema(instantText)).toEqual({ type: 'string', ...INSTANT_OR_DATE });
    expect('format' in body).toBe(false);
  });

  it.each(['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123456+08:00', '2026-01-01T23:59:59-12:00'])(
    'allows %s, as the schema does',
    (value) => {
      expect([pattern.test(value), ok(instant, value)]).toEqual([true, true]);
    },
  );

  it.each([
    '',
    '2026-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01Z',
    '20260101',
    'now',
    ' 2026-01-01',
  ])('refuses %p, as the schema does', (value) => {
    expect([pattern.test(value), ok(instant, value)]).toEqual([false, false]);
  });
});

it('lower-cases e-mail addresses', () => {
  expect(email.parse('A.B@Example.COM')).toBe('a.b@example.com');
});

it('accepts no body where each member is optional, and requires one otherwise', () => {
  const mail = optionalBody(z.strictObject({ mail: z.boolean().default(false) }));
  expect([mail.parse(undefined), mail.parse({ mail: true })]).toEqual([{ mail: false }, { mail: true }]);
  expect(ok(mail, null)).toBe(false);
  expect(ok(optionalBody(z.strictObject({ days: z.int() })), undefined)).toBe(false);
});
