import type { Page } from 'playwright-core';
import type { Scene } from './scene.js';

export type Opening = (page: Page, scene: Scene) => Promise<unknown>;

export interface KnownPage {
  readonly name: string;
  /** A selector on the expected final page. */
  readonly heading: string | RegExp;
  readonly open: Opening;
}

export const at =
  (path: string): Opening =>
  (page) =>
    page.goto(path);

/** Submits invalid values past the checks of the browser. */
export async function forced(
  page: Page,
  fields: Readonly<Record<string, string>>,
  button: string,
  password?: string,
): Promise<void> {
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  for (const [label, value] of Object.entries(fields)) await page.getByRole('textbox', { name: label }).fill(value);
  // A password field has no role of its own (HTML-AAM).
  if (password !== undefined) await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: button }).click();
}

/** Submits the form like a page of another session. */
export async function forged(page: Page, button: string): Promise<void> {
  await page.evaluate(`for (const field of document.querySelectorAll('input[name=csrf]')) field.value = 'forged'`);
  await page.getByRole('button', { name: button, exact: true }).first().click();
}
