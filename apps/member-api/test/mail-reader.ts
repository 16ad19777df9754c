import type { Received } from '@lyceum/testing';

interface ReadMail {
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  readonly html: string;
}

const bytesOf = (encoding: string, body: string): Buffer =>
  encoding === 'base64'
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
        'latin1',
      );

/** The bytes of a header whose words have other characters than ASCII (RFC 2047). */
const words = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, encoding: string, text: string) =>
      bytesOf(encoding.toUpperCase() === 'B' ? 'base64' : 'Q', text.replaceAll('_', ' ')).toString('latin1'),
    );

const fieldOf = (head: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(head.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim() ?? '';

/** Reads a message with the alternatives plain text and HTML, with the line ends of Unix. */
export function readMail({ source }: Received): ReadMail {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(fieldOf(head, 'content-type'))?.[1] ?? 'none';
  const parts = source.split(`--${boundary}`).slice(1);
  const partOf = (type: string): string => {
    const part = parts.find((one) => fieldOf(one, 'content-type').startsWith(type)) ?? '';
    const body = part.slice(part.indexOf('\r\n\r\n') + 4);
    return bytesOf(fieldOf(part, 'content-transfer-encoding'), body).toString().replaceAll('\r\n', '\n');
  };
  return {
    subject: Buffer.from(words(fieldOf(head, 'subject')), 'latin1').toString(),
    messageId: fieldOf(head, 'message-id'),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  };
}
