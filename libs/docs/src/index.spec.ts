import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { BROWSER_FILES, BROWSER_PAGES, ENCODINGS, GUIDES, GUIDE_BASE_URL, openBrowserFile } from './index.js';

/** Compressed bytes that a page loads before it is ready. The reference also loads `/openapi.json`. */
const MOST_BYTES = 850_000;

describe('The files for browsers', () => {
  it.each(Object.entries(BROWSER_PAGES))('keeps the page %s below 850 kB in each coding', (_page, { loads }) => {
    for (const encoding of ENCODINGS) {
      const bytes = loads.reduce((sum, name) => sum + (BROWSER_FILES.get(name)?.bytes[encoding] ?? Infinity), 0);
      expect([encoding, bytes > 100_000, bytes <= MOST_BYTES]).toEqual([encoding, true, true]);
    }
  });

  it('stores each file in each coding, under a name with a hash', async () => {
    expect(BROWSER_FILES.size).toBeGreaterThan(5);
    for (const file of BROWSER_FILES.values()) {
      expect(file.name).toMatch(/^(?:reference|explorer|part)\.[\w-]{16}\.(?:js|css)$/);
      const [brotli, gzip] = await Promise.all(ENCODINGS.map((encoding) => buffer(openBrowserFile(file, encoding))));
      if (brotli === undefined || gzip === undefined) throw new Error('There are two codings');
      expect([brotli.length, gzip.length]).toEqual([file.bytes.br, file.bytes.gzip]);
      expect(gunzipSync(gzip).equals(brotliDecompressSync(brotli))).toBe(true);
    }
  });

  it('loads modules of this package alone', async () => {
    const loads = new Set(Object.values(BROWSER_PAGES).flatMap((page) => page.loads));
    for (const name of loads) expect(BROWSER_FILES.has(name)).toBe(true);
    for (const file of BROWSER_FILES.values()) {
      const text = gunzipSync(await buffer(openBrowserFile(file, 'gzip'))).toString();
      const imports = [...text.matchAll(/(?:\bfrom|\bimport\()\s*[`"']\.\/([\w.-]+)[`"']/g)].map(
        ([, name = '']) => name,
      );
      expect(imports.filter((name) => name.startsWith('part.') && !BROWSER_FILES.has(name))).toEqual([]);
    }
  });
});

describe('The guides', () => {
  it('contains the guides in their order, then the recipes', () => {
    const kinds = [...GUIDES.values()].map(({ kind }) => kind);
    const order = ['first-call', 'paging', 'idempotency', 'errors', 'webhooks', 'compatibility'];
    expect([...GUIDES.keys()].slice(0, order.length)).toEqual(order);
    expect(kinds).toEqual(kinds.toSorted());
    expect(GUIDES.size).toBeGreaterThan(20);
  });

  it.each([...GUIDES.values()])('renders $slug without scripts, dead links and parts for operations', (guide) => {
    const { title, html, markdown } = guide;
    expect(markdown.startsWith(`# ${title}\n`)).toBe(true);
    expect(html).not.toMatch(/<script|<h1|on\w+="|href="(?!https?:|\/docs\/|#)/);
    expect(html).not.toMatch(/href="(?!https:)[^"]*\.md"/);
    for (const [, target = ''] of html.matchAll(/href="\/docs\/guides\/([^"#]+)"/g))
      expect(GUIDES.has(target)).toBe(true);
  });

  it('names no decision of the project, in each language', () => {
    for (const { slug, markdown, html, translations } of GUIDES.values())
      for (const text of [markdown, html, ...Object.values(translations).map((one) => one.html)])
        expect([slug, text]).toEqual([slug, expect.not.stringContaining('ADR')]);
  });

  it('begins each guide with a sentence for the index, in each language', () => {
    for (const { kind, summary, translations } of GUIDES.values()) {
      if (kind !== 'guide') continue;
      for (const sentence of [summary, ...Object.values(translations).map((one) => one.summary)]) {
        expect(sentence).toMatch(/^.{10,160}$/s);
        expect(sentence.match(/<code>/g)?.length).toBe(sentence.match(/<\/code>/g)?.length);
        expect(sentence).not.toContain('<a');
      }
    }
  });

  it('keeps the guide and the recipe for webhooks apart', () => {
    expect(GUIDES.get('webhooks')?.kind).toBe('guide');
    expect(GUIDES.get('receive-webhooks')?.kind).toBe('recipe');
    expect(GUIDES.get('webhooks')?.html).toContain('href="/docs/guides/receive-webhooks"');
    expect(GUIDES.get('receive-webhooks')?.html).toContain('href="/docs/guides/webhooks"');
  });

  it('omits the operation of a deployment, and offers code to copy', () => {
    const { html = '' } = GUIDES.get('webhooks') ?? {};
    expect(html).toContain('<pre data-copy><code>');
    expect(html).not.toContain('KEY_ENCRYPTION_KEY');
    expect(GUIDES.get('compatibility')?.html).not.toContain('npm run');
    expect(GUIDES.get('first-call')?.html).toContain(GUIDE_BASE_URL);
  });

  it('translates each guide, with the same code and the same links', () => {
    const codeOf = (html: string): string[] => [...html.matchAll(/<pre data-copy>[^]*?<\/pre>/g)].map(([code]) => code);
    const linksOf = (html: string): string[] =>
      [...html.matchAll(/href="([^"]+)"/g)].map(([, target = '']) => target).toSorted();
    for (const { kind, html, translations } of GUIDES.values()) {
      expect(Object.keys(translations)).toEqual(kind === 'guide' ? ['zh-TW'] : []);
      for (const translated of Object.values(translations)) {
        expect(translated.title).toMatch(/\p{Script=Han}/u);
        expect(codeOf(translated.html)).toEqual(codeOf(html));
        expect(linksOf(translated.html)).toEqual(linksOf(html));
      }
    }
  });
});
