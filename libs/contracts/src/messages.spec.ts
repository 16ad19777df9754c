import { z } from 'zod';
import {
  cancelSubject,
  describePerson,
  defineRequest,
  capabilitySubject,
  replySchema,
  resourceDescriptionSchema,
  revocationSchema,
  toolDescriptionSchema,
} from './index.js';

describe('a request', () => {
  it('combines its service, name and version in the subject', () => {
    expect(describePerson.subject).toBe('requests.auth.describe_person.v1');
    const shape = z.object({});
    expect(defineRequest({ service: 'x', name: 'y', version: 2, input: shape, output: shape }).subject).toBe(
      'requests.x.y.v2',
    );
  });
});

describe('a reply', () => {
  it('contains a result, or an error with its code', () => {
    expect(replySchema.parse({ ok: true, result: { a: 1 } })).toEqual({ ok: true, result: { a: 1 } });
    const error = { code: 'not_found', detail: 'x', errors: [{ pointer: '/a', code: 'b', detail: 'c' }], hint: 'd' };
    expect(replySchema.parse({ ok: false, error })).toEqual({ ok: false, error });
  });

  it.each([{}, { ok: 'true' }, { ok: false }, { ok: false, error: { code: 'not_found' } }, null])(
    'rejects %p',
    (reply) => {
      expect(replySchema.safeParse(reply).success).toBe(false);
    },
  );
});

describe('a revocation', () => {
  const revocation = {
    id: '0199f6a0-0000-7000-8000-000000000001',
    kind: 'grant',
    subject: 'grant-1',
    site_id: null,
    occurred_at: '2026-11-20T22:00:00.000Z',
  };

  it.each(['grant', 'person', 'client', 'site'])('accepts the kind %s', (kind) => {
    expect(revocationSchema.safeParse({ ...revocation, kind }).success).toBe(true);
  });

  it.each([
    ['kind', 'token'],
    ['site_id', undefined],
    ['occurred_at', 1_700_000_000],
  ])('rejects %s = %p', (name, value) => {
    expect(revocationSchema.safeParse({ ...revocation, [name]: value }).success).toBe(false);
  });
});

describe('a tool', () => {
  const description = {
    name: 'browse_course',
    title: 'Course',
    description: 'x',
    audience: 'public',
    scopes: [],
    version: '0123456789abcdef',
    inputSchema: { type: 'object', properties: { slug: { type: 'string' } } },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };

  it('keeps its schemas unchanged', () => {
    expect(toolDescriptionSchema.parse(description)).toMatchObject(description);
  });

  it.each([`a${'b'.repeat(63)}`, 'a', 'list_my_courses2'])('accepts the name %s', (name) => {
    expect(toolDescriptionSchema.safeParse({ ...description, name }).success).toBe(true);
  });

  it.each(['', 'getCourse', '2nd', 'get-course', 'get.course', `a${'b'.repeat(64)}`])(
    'rejects the name "%s"',
    (name) => {
      expect(toolDescriptionSchema.safeParse({ ...description, name }).success).toBe(false);
    },
  );

  it('accepts an object and returns one', () => {
    const inputSchema = { type: 'string' };
    expect(toolDescriptionSchema.safeParse({ ...description, inputSchema }).success).toBe(false);
  });

  it('includes its service and its version in the subject', () => {
    expect(capabilitySubject('member-api', 'tool', description)).toBe(
      'tools.member-api.tool.browse_course.0123456789abcdef',
    );
  });

  it('uses a cancellation subject that no tool has', () => {
    expect(cancelSubject(capabilitySubject('member-api', 'tool', description))).toBe('tools.member-api.cancel');
  });
});

describe('the URI of a resource', () => {
  const uri = resourceDescriptionSchema.shape.uri;

  it.each(['school://profile', 'school://courses/{slug}', 'school://courses/{slug}/lectures/{lecture_id}'])(
    'accepts %s',
    (text) => {
      expect(uri.safeParse(text).success).toBe(true);
    },
  );

  it.each([
    'profile',
    'school:profile',
    'school://a b',
    'school://{}',
    'school://{/slug}',
    'school://{slug*}',
    'school://}',
  ])('rejects %s', (text) => {
    expect(uri.safeParse(text).success).toBe(false);
  });
});

describe('an icon', () => {
  const [icon] = [toolDescriptionSchema.shape.icons.unwrap().element];

  it('requires a data URI, so that clients load nothing', () => {
    expect(icon.safeParse({ src: 'data:image/svg+xml;base64,AAAA', mimeType: 'image/svg+xml' }).success).toBe(true);
    for (const src of ['https://evil.example/i.png', '/icon.png', 'javascript:alert(1)', 'data:text/html;base64,AA']) {
      expect(icon.safeParse({ src, mimeType: 'image/svg+xml' }).success).toBe(false);
    }
  });
});
