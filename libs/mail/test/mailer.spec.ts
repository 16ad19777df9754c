import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { smtpSink } from '@lyceum/testing';
import { z } from 'zod';
import { Mailer, isPermanent, mailEnvironment } from '../src/index.js';

const MAIL = {
  to: 'ada@example.org',
  subject: 'Tides\r\nBcc: all@example.org',
  text: `High and low: ${'https://site.example/a-very-long-link/'.repeat(4)}\nünïcode 🧭\n.\n.dot`,
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
    expect(fields.get('content-transfer-encoding')).toMatch(/quoted-printable|base64/);
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
    const refusal = Object.assign(new Error('no'), { responseCode });
    const sink = await smtpSink({ onRcptTo: (_address, _session, done) => done(refusal) });
    const mailer = new Mailer(settings({ MAIL_SMTP_URL: sink.url }));
    const error = await mailer.send(MAIL).catch((fault: unknown) => fault);
    mailer.onApplicationShutdown();
    await sink.close();
    expect([error instanceof Error, isPermanent(error)]).toEqual([true, permanent]);
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
    expect(source.endsWith(`\r\n\r\n${MAIL.text}\r\n`)).toBe(true);
  });
});

it('sends nothing without a transport, and does not fail', async () => {
  await expect(new Mailer(settings()).send(MAIL)).resolves.toBeUndefined();
});

it.each(['http://mail.example', 'mail.example', 'smtp'])('rejects %s as a mail server', (MAIL_SMTP_URL) => {
  expect(z.object(mailEnvironment).safeParse({ MAIL_SMTP_URL }).success).toBe(false);
});
