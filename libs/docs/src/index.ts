import { createReadStream, readFileSync } from 'node:fs';
import type { ReadStream } from 'node:fs';

export { codeSamples } from './samples.js';

/** Content codings (RFC 9110 §8.4.1) that the build has made. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A script or a style sheet, stored in its compressed forms only. */
export interface BrowserFile {
  /** Changes with the content. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Readonly<Record<Encoding, number>>;
}

/** Names of files. */
export interface BrowserPage {
  /** The module that starts the page. */
  readonly script: string;
  readonly styles: readonly string[];
  /** All files that load before the page is ready; the script loads further ones when a visitor needs them. */
  readonly loads: readonly string[];
}

/** All forms name the site as `GUIDE_BASE_URL`. */
export interface GuideText {
  readonly title: string;
  /** The first sentence, as HTML. */
  readonly summary: string;
  readonly html: string;
}

export interface Guide extends GuideText {
  readonly slug: string;
  readonly kind: 'guide' | 'recipe';
  readonly markdown: string;
  /** By language of the catalog of texts. Recipes have none. */
  readonly translations: Readonly<Record<string, GuideText>>;
}

/** The address that stands for the site in the guides. */
export const GUIDE_BASE_URL = 'https://school.example';

/** Written by the build, for `src` and `dist` alike. */
const DIST = new URL('../dist/', import.meta.url);

function built<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, DIST), 'utf8')) as T;
}

interface Files {
  readonly files: readonly BrowserFile[];
  readonly pages: Readonly<Record<'reference' | 'explorer', BrowserPage>>;
}

const { files, pages } = built<Files>('files.json');

/** The reference and the explorer. */
export const BROWSER_PAGES = pages;

/** All files by name. */
export const BROWSER_FILES: ReadonlyMap<string, BrowserFile> = new Map(files.map((file) => [file.name, file]));

/** Streams a form of a file. */
export function openBrowserFile({ name }: BrowserFile, encoding: Encoding): ReadStream {
  return createReadStream(new URL(`browser/${name}.${encoding}`, DIST));
}

/** Guides and recipes by slug, in the order of the index. */
export const GUIDES: ReadonlyMap<string, Guide> = new Map(
  built<readonly Guide[]>('guides.json').map((guide) => [guide.slug, guide]),
);
