/** A message, as the mail page shows it. */
interface MailSource {
  readonly head: string;
  header(name: string): string;
  readonly text: string;
  /** Empty for a message without HTML. */
  readonly html: string;
}

const END = '\r\n\r\n';

/** Head and body of a message or of a part. */
function split(source: string): readonly [head: string, body: string] {
  const at = source.indexOf(END);
  return at === -1 ? [source, ''] : [source.slice(0, at), source.slice(at + END.length)];
}

const headerIn = (head: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';

function decoded(part: string): string {
  const [head, body] = split(part);
  return headerIn(head, 'Content-Transfer-Encoding') === 'base64' ? Buffer.from(body, 'base64').toString() : body;
}

/** Reads a message of FolderTransport: a header per line, and the alternatives plain text and HTML. */
export function mailOf(source: string): MailSource {
  const [head, body] = split(source);
  const header = (name: string): string => headerIn(head, name);
  const boundary = /boundary="([^"]+)"/.exec(header('Content-Type'))?.[1];
  if (boundary === undefined) return { head, header, text: body, html: '' };
  const parts = body.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, '').replace(/\r\n$/, ''));
  const of = (type: string): string =>
    decoded(parts.find((part) => headerIn(part, 'Content-Type').startsWith(type)) ?? '');
  return { head, header, text: of('text/plain'), html: of('text/html') };
}
