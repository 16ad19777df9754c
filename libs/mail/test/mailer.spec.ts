import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { smtpSink } from '@lyceum/testing';
import { z } from 'zod';
import { Mailer, isPermanent, mailEnvironment } from '../src/index.js';
import { alternatives } from '../src/multipart.js';

const MAIL = {
  to: 'ada@example.org',
  subject: 'Tides\r\nBcc: all@example.org',
  text: `High and low: ${'https://site.example/a-very-long-link/'.repeat(4)}\nünïcode 🧭\n.\n.dot`,
  html: `<!doctype html><html lang="en"><body><p>ünïcode 🧭</p></body></html>\n`,
  fromName: 'Harbour School',
  messageId: 'one@site.example',
  headers: { 'List-Unsubscribe': '<https://site.example/u?t=x>' },
};
const settings = (given: Record<string, string> = {}) => z.object(mailEnvironment).parse(given);

beforeAll(() => Logger.overrideLogger(false));

/** Unfolded header fields (RFC 5322 §2.2.3). */
function fieldsOf(source: string): Map<string, string> {
  const [head = ''] = source.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
}

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

const quoted = (body: string): string => {
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
};
const DECODERS: Readonly<Record<string, (body: string) => string>> = {
  base64: (body) => Buffer.from(body, 'base64').toString(),
  'quoted-printable': quoted,
  '8bit': (body) => body,
};

/** The types and the contents of the alternatives of a message (RFC 2046 §5.1.4), in their order. */
function partsOf(source: string): (readonly [type: string | undefined, content: string | undefined])[] {
  const fields = fieldsOf(source);
  const [, boundary] = /^multipart\/alternative; *boundary="([^"]+)"$/.exec(fields.get('content-type') ?? '') ?? [];
  expect([fields.get('mime-version'), boundary === undefined]).toEqual(['1.0', false]);
  const parts = source.slice(source.indexOf('\r\n\r\n') + 2).split(`\r\n--${boundary}`);
  expect(parts.at(-1)).toMatch(/^--\r\n/);
  return parts.slice(1, -1).map((part) => {
    const at = part.indexOf('\r\n\r\n');
    const head = fieldsOf(part.trimStart());
    return [head.get('content-type'), DECODERS[head.get('content-transfer-encoding') ?? '']?.(part.slice(at + 4))];
  });
}

describe('over SMTP', () => {
  it('delivers a mail completely, once, to its one recipient', async () => {
    const sink = await smtpSink();
    const mailer = new Mailer(settings({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@site.example' }));
    await mailer.send(MAIL);
    mailer.onApplicationShutdown();
    await sink.close();
    expect(sink.received.map(({ from, to }) => [from, to])).toEqual([['no-reply@site.example', ['ada@example.org']]]);
    const { source = '' } = sink.received[0] ?? {};
    const fields = fieldsOf(source);
    expect(fields.get('from')).toBe('Harbour School <no-reply@site.example>');
    expect(fields.get('subject')).toBe('Tides Bcc: all@example.org');
    expect(fields.has('bcc')).toBe(false);
    expect(fields.get('message-id')).toBe('<one@site.example>');
    expect(fields.get('list-unsubscribe')).toBe('<https://site.example/u?t=x>');
    expect(fields.get('auto-submitted')).toBe('auto-generated');
    expect(partsOf(source)).toEqual([
      ['text/plain; charset=utf-8', crlf(MAIL.text)],
      ['text/html; charset=utf-8', crlf(MAIL.html)],
    ]);
  });

  it('adds no second recipient for an address with a comma', async () => {
    const sink = await smtpSink();
    const mailer = new Mailer(settings({ MAIL_SMTP_URL: sink.url }));
    await mailer.send({ ...MAIL, to: 'ada@example.org, eve@example.org' }).catch(() => undefined);
    mailer.onApplicationShutdown();
    await sink.close();
    expect(sink.received.flatMap(({ to }) => to)).not.toContain('eve@example.org');
  });

  it.each([
    [550, true],
    [451, false],
  ])('reports a refusal with %i as permanent %s', async (responseCode, permanent) => {
    const refusal = Object.assign(new Error('<ada@example.org> is unknown'), { responseCode });
    const sink = await smtpSink({ onRcptTo: (_address, _session, done) => done(refusal) });
    const mailer = new Mailer(settings({ MAIL_SMTP_URL: sink.url }));
    const error = await mailer.send(MAIL).catch((fault: unknown) => fault);
    mailer.onApplicationShutdown();
    await sink.close();
    expect([error instanceof Error, isPermanent(error)]).toEqual([true, permanent]);
    // The log shows the message, the stack and the cause.
    expect(inspect(error)).toContain('<address> is unknown');
    expect(inspect(error)).not.toContain('ada@example.org');
  });

  it('sends no password over an unencrypted connection', async () => {
    const said: unknown[] = [];
    const sink = await smtpSink({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) => {
        said.push(auth);
        done(null, { user: 'x' });
      },
    });
    const mailer = new Mailer(settings({ MAIL_SMTP_URL: sink.url.replace('//', '//user:secret@') }));
    await expect(mailer.send(MAIL)).rejects.toThrow(/TLS|STARTTLS/i);
    mailer.onApplicationShutdown();
    await sink.close();
    expect(said).toEqual([]);
  });
});

describe('into a folder', () => {
  it('writes a mail as a file that only its owner can read, one line per field', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-mail-'));
    await new Mailer(settings({ MAIL_DIRECTORY: join(folder, 'mails') })).send(MAIL);
    const [name = '', ...others] = await readdir(join(folder, 'mails'));
    expect([others, name.endsWith('.eml')]).toEqual([[], true]);
    const file = join(folder, 'mails', name);
    const source = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await rm(folder, { recursive: true });
    const fields = fieldsOf(source);
    expect(fields.get('subject')).toBe('Tides Bcc: all@example.org');
    expect(fields.get('message-id')).toBe('<one@site.example>');
    expect(fields.get('date')).toMatch(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} \+0000$/);
    expect(partsOf(source)).toEqual([
      ['text/plain; charset=utf-8', crlf(MAIL.text)],
      ['text/html; charset=utf-8', crlf(MAIL.html)],
    ]);
    expect(source).toContain(`\r\n\r\n${crlf(MAIL.text)}\r\n`);
  });

  it.each([
    [998, '8bit'],
    [999, 'base64'],
  ])('writes a line of %i bytes in %s', (bytes, encoding) => {
    const text = `${'🧭'.repeat(249)}${'x'.repeat(bytes - 996)}`;
    const { body, contentType } = alternatives({ text, html: MAIL.html });
    const source = `MIME-Version: 1.0\r\nContent-Type: ${contentType}\r\n\r\n${body}`;
    expect(partsOf(source)[0]?.[1]).toBe(text);
    expect(body).toContain(`text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`);
    expect(body.split('\r\n').filter((line) => Buffer.byteLength(line) > 998)).toEqual([]);
  });

  it('quotes a name with characters that have a meaning in addresses', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-mail-'));
    await new Mailer(settings({ MAIL_DIRECTORY: folder })).send({ ...MAIL, fromName: 'Eve <eve@evil.example>, "x"' });
    const [name = ''] = await readdir(folder);
    const source = await readFile(join(folder, name), 'utf8');
    await rm(folder, { recursive: true });
    expect(fieldsOf(source).get('from')).toBe(String.raw`"Eve <eve@evil.example>, \"x\"" <no-reply@localhost.invalid>`);
  });
});

it('sends nothing without a transport, and does not fail', async () => {
  await expect(new Mailer(settings()).send(MAIL)).resolves.toBeUndefined();
});

it.each(['http://mail.example', 'mail.example', 'smtp'])('rejects %s as a mail server', (MAIL_SMTP_URL) => {
  expect(z.object(mailEnvironment).safeParse({ MAIL_SMTP_URL }).success).toBe(false);
});
