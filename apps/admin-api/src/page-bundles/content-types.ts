const IMAGES = { avif: 'avif', gif: 'gif', jpeg: 'jpeg', jpg: 'jpeg', png: 'png', svg: 'svg+xml', webp: 'webp' };
const FONTS = ['otf', 'ttf', 'woff', 'woff2'];

/** The content type of each file of a page by the ending of its name. Other files are refused. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xml: 'application/xml',
  pdf: 'application/pdf',
  ico: 'image/x-icon',
  ...Object.fromEntries(Object.entries(IMAGES).map(([ending, type]) => [ending, `image/${type}`])),
  ...Object.fromEntries(FONTS.map((ending) => [ending, `font/${ending}`])),
};

/** Undefined: files with this ending are refused. */
export function contentTypeOf(path: string): string | undefined {
  const [, ending = ''] = /\.([a-z0-9]+)$/i.exec(path) ?? [];
  const type = ending.toLowerCase();
  return Object.hasOwn(CONTENT_TYPES, type) ? CONTENT_TYPES[type] : undefined;
}
