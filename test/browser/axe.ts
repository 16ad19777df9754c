import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** `colors`: the rules on which the colors of a page have an effect. */
type Rules = 'all' | 'colors';

const RULES: Readonly<Record<Rules, RunOptions['runOnly']>> = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] },
  colors: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};
/** Rules that apply to any page. */
const LEAST: Readonly<Record<Rules, number>> = { all: 6, colors: 1 };

async function found(page: Page, rules: Rules): Promise<AxeResults['violations']> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  // Only violations need their elements described.
  const options: RunOptions = { runOnly: RULES[rules]!, resultTypes: ['violations'], preload: rules === 'all' };
  const [results, passes] = await page.evaluate<[AxeResults['violations'], number]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations, passes }) => [violations, passes.length])`,
  );
  expect(passes).toBeGreaterThanOrEqual(LEAST[rules]);
  return results;
}

const sentences = (results: AxeResults['violations']): string[] =>
  results.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);

/** The violations that axe finds on the current page, as sentences. */
export async function violations(page: Page, rules: Rules = 'all'): Promise<string[]> {
  return sentences(await found(page, rules));
}

/** The serious and critical ones: for pages whose content comes from a package. */
export async function serious(page: Page, rules: Rules = 'all'): Promise<string[]> {
  const results = await found(page, rules);
  return sentences(results.filter(({ impact }) => impact === 'serious' || impact === 'critical'));
}
