import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';
import { launchChromium } from './chromium.js';

/** Chromium logs this for every page with an error status. */
const STATUS = 'Failed to load resource: the server responded with a status of';

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, including policy violations, and requests to other origins. */
  readonly faults: string[];
}

interface VisitorOptions {
  readonly scripts: boolean;
  readonly elsewhere?: string;
}

/** A separate browser that records requests to other origins, apart from redirect URIs of applications. */
export async function visitor(
  browser: Browser,
  baseUrl: string,
  { scripts, elsewhere }: VisitorOptions,
): Promise<Visitor> {
  const context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: baseUrl });
  const faults: string[] = [];
  const isOurs = (url: string): boolean =>
    url.startsWith(`${baseUrl}/`) || (elsewhere !== undefined && url.startsWith(elsewhere));
  context.on('console', (message: ConsoleMessage) => {
    const isReported = message.type() === 'error' || message.type() === 'warning';
    const { url } = message.location();
    const isTheirs = elsewhere !== undefined && url.startsWith(elsewhere);
    if (isReported && !isTheirs && !message.text().startsWith(STATUS)) faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('request', (request) => {
    if (!isOurs(request.url())) faults.push(`a request to ${request.url()}`);
  });
  return { context, page: await context.newPage(), faults };
}

/**
 * A visitor for all tests of a block, after each of which it has recorded nothing.
 *
 * @param baseUrl the address of the site, or how it begins
 * @param begin prepares the visitor before the first test
 */
export function useVisitor(
  baseUrl: string | (() => Promise<string>),
  options: VisitorOptions,
  begin?: () => Promise<unknown> | void,
): Visitor & { readonly browser: Browser } {
  let browser: Browser | undefined;
  let current: Visitor | undefined;
  const begun = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The visitor begins with the first test');
    return value;
  };
  beforeAll(async () => {
    browser = await launchChromium();
    current = await visitor(browser, typeof baseUrl === 'string' ? baseUrl : await baseUrl(), options);
    await begin?.();
  });
  afterAll(() => browser?.close());
  afterEach(() => expect(current?.faults.splice(0)).toEqual([]));
  return {
    get browser() {
      return begun(browser);
    },
    get context() {
      return begun(current).context;
    },
    get page() {
      return begun(current).page;
    },
    get faults() {
      return begun(current).faults;
    },
  };
}
