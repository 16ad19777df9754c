/** Raster images, which no browser executes. All other types are attachments. */
const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/**
 * Returns the `Content-Disposition` of a download (RFC 6266): an ASCII name, and the UTF-8 name (RFC 8187) if it
 * differs.
 */
export function contentDisposition(filename: string, contentType: string): string {
  const kind = SHOWN.has(contentType) ? 'inline' : 'attachment';
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const full = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${full}`}`;
}
