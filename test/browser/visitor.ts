import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** Chromium logs this for every page with an error status. */
const STATUS = 'Failed to load resource: the server responded with a status of';

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, including policy violations, and requests to other origins. */
  readonly faults: string[];
}

/** A separate browser that records requests to other origins, apart from redirect URIs of applications. */
export async function visitor(
  browser: Browser,
  baseUrl: string,
  { scripts, elsewhere }: { scripts: boolean; elsewhere?: string },
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
