import { hash } from 'node:crypto';

/** The body that announces a file of students. */
export function announcedStudents(content: string) {
  return {
    purpose: 'import',
    filename: 'students.csv',
    content_type: 'text/csv',
    bytes: content.length,
    sha256: hash('sha256', content),
  };
}

/** Sends the bytes by the link of an upload, and returns the status. */
export async function putContent(upload: object, content: string | Buffer): Promise<number> {
  const { upload_url, headers } = upload as {
    readonly upload_url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
  };
  const sent = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return (await fetch(upload_url, { method: 'PUT', headers: sent, body: new Uint8Array(Buffer.from(content)) })).status;
}
