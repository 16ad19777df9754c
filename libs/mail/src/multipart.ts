import { randomUUID } from 'node:crypto';

/** Bytes of a line without its end (RFC 5322 §2.1.1). */
const LONGEST_LINE = 998;
/** Characters of a line in Base64 (RFC 2045 §6.8). */
const BASE64_LINE = /.{76}(?=.)/g;

const withBreaks = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n');

/** Readable as it is, unless a line is too long for a message: then in Base64. */
function part(type: string, content: string): string {
  const lines = withBreaks(content).split('\r\n');
  const isReadable = lines.every((line) => Buffer.byteLength(line) <= LONGEST_LINE);
  const [encoding, body] = isReadable
    ? ['8bit', lines.join('\r\n')]
    : ['base64', Buffer.from(lines.join('\r\n')).toString('base64').replaceAll(BASE64_LINE, '$&\r\n')];
  const head = [`Content-Type: ${type}; charset=utf-8`, `Content-Transfer-Encoding: ${encoding}`];
  return `${head.join('\r\n')}\r\n\r\n${body}\r\n`;
}

/** The body of a message with two forms of one content, the plain one first (RFC 2046 §5.1.4). */
export function alternatives(forms: { readonly text: string; readonly html: string }) {
  const boundary = `lyceum-${randomUUID()}`;
  const parts = [part('text/plain', forms.text), part('text/html', forms.html)];
  return {
    contentType: `multipart/alternative; boundary="${boundary}"`,
    body: `${parts.map((one) => `--${boundary}\r\n${one}`).join('')}--${boundary}--\r\n`,
  };
}
