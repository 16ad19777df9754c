import type { DemoFile } from './demo-files.js';
import { zipFile } from './zip-file.js';

/** A static page of a demo school, with the zip file of its deployment. */
export interface DemoPage {
  readonly external_id: string;
  readonly slug: string;
  readonly title: string;
  readonly bundle: DemoFile;
}

const STYLE =
  'body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }\n';

export function demoPages({ name, subject }: { readonly name: string; readonly subject: string }): readonly DemoPage[] {
  const title = `About ${name}`;
  const text = `<h2>About us</h2><p>${name} teaches ${subject} to everybody who wants to learn it.</p>`;
  const head = `<meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="style.css">`;
  const files = {
    'index.html': `<!doctype html><html lang="en"><head>${head}</head><body>${text}</body></html>\n`,
    'style.css': STYLE,
  };
  const content = zipFile(
    Object.entries(files).map(([path, source]) => ({ name: path, content: Buffer.from(source) })),
  );
  const bundle = { purpose: 'page_bundle', filename: 'about.zip', content_type: 'application/zip', content } as const;
  return [{ external_id: 'about', slug: 'about', title, bundle }];
}
