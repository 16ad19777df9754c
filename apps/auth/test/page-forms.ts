import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { postForms } from '@lyceum/testing';
import type { Form, Page } from '@lyceum/testing';
import type { TestAuth } from './auth.js';
import type { Role, Scene } from './form-stage.js';

/** A route of a controller. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** As the router has it, such as `/admin/people/:member_id`. */
  readonly path: string;
}

/** The routes of all controllers of the service. */
export function pageRoutes({ app }: TestAuth): Route[] {
  const controllers = app.get(DiscoveryService, { strict: false }).getControllers();
  const scanner = new MetadataScanner();
  const pathsOf = (target: object): string[] => [Reflect.getMetadata('path', target) as string | string[]].flat();
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const prototype = metatype.prototype as Record<string, object>;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      const method = handler && (Reflect.getMetadata('method', handler) as RequestMethod | undefined);
      if (handler === undefined || (method !== RequestMethod.GET && method !== RequestMethod.POST)) return [];
      return pathsOf(metatype).flatMap((base) =>
        pathsOf(handler).map((path) => ({
          method: method === RequestMethod.GET ? ('GET' as const) : ('POST' as const),
          path: `/${[base, path].flatMap((part) => part.split('/').filter(Boolean)).join('/')}`,
        })),
      );
    });
  });
}

/** Pages that a page opens by a parameter, or that need an authorization request before them. */
const STARTS = [
  '/account/invitation?token={invitation}',
  '/account/email/link?token={approval}',
  '/account/email-link?token={sign_up}',
  '/account/email-link?token={sign_in}',
  '{authorization}',
  '{authorization}&prompt=select_account',
];
/** A path below an interaction starts with its authorization request. */
const INTERACTION = /^\/oauth\/(?:interaction|authorize)\/[\w-]+/;
/** A part of a path or of a query that differs between objects. */
const ID = /[\w-]{20,}/;

/** A form of a page, with the parts that differ between scenes as `{name}`. */
export interface PageForm {
  readonly role: Role;
  /** The path of the page that has the form. */
  readonly page: string;
  readonly action: string;
  readonly isPost: boolean;
  /** The sorted names of its controls. */
  readonly names: string;
}

const keyOf = ({ isPost, action, names }: Pick<PageForm, 'isPost' | 'action' | 'names'>): string =>
  `${isPost ? 'POST' : 'GET'} ${action.split('?')[0]} ${names}`;

/** The forms of the pages of a person: of each static route, and of all pages that they link to. */
export async function formsOf(
  scene: Scene,
  role: Role,
  routes: readonly Route[],
  look: (page: Page, path: string) => void = () => undefined,
): Promise<Map<string, PageForm>> {
  const fixed = routes.filter(({ method, path }) => method === 'GET' && !/[:*]/.test(path)).map(({ path }) => path);
  const waiting = [...fixed.filter((path) => !path.startsWith('/oauth/authorize')), ...STARTS];
  const seen = new Set(waiting);
  const found = new Map<string, PageForm>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const page = await openPage(scene, path);
    look(page, path);
    for (const form of shownForms(page)) {
      const { isPost } = form;
      const [key, action] = [keyIn(scene, page, form), actionOf(scene, page, form)];
      if (!found.has(key)) found.set(key, { role, page: path, action, isPost, names: namesOf(form) });
      // A button that opens the question before an action.
      if (!isPost) follow(`${form.action}?${form.fields.toString()}`);
    }
    for (const [, href = ''] of page.body.matchAll(/<a\s[^>]*?href="(\/[^"#]*)"/g))
      follow(href.replaceAll('&amp;', '&'));
  }
  return found;

  function follow(href: string): void {
    const path = generic(scene, href.replace(/\?$/, ''));
    const isOurs = /^\/(?:$|account|admin|oauth|docs\/guides\?|member\/explorer)/.test(path);
    if (!isOurs || seen.has(path) || ID.test(path.replaceAll(/\{\w+\}/g, ''))) return;
    seen.add(path);
    waiting.push(path);
  }
}

export interface ShownForm extends Form {
  readonly isPost: boolean;
}

/** The forms of a page. A button with an action of its own makes one more. */
function shownForms({ body }: Page): ShownForm[] {
  return [...body.matchAll(/<form\b[^>]*>[^]*?<\/form>/g)].flatMap(([text]) => {
    const isPost = /^<form\b[^>]*method="post"/.test(text);
    // The sign-in of pages for developers is sent by their script.
    if (!isPost && !text.startsWith('<form method="get"')) return [];
    const others = [...text.matchAll(/formaction="([^"]+)"/g)].map(([, action = '']) => action);
    return postForms(text.replace('method="get"', 'method="post"')).flatMap((form) =>
      [form.action, ...others].map((action) => ({ ...form, action, isPost })),
    );
  });
}

/** The form on the page of a scene; undefined when the page does not have it any more. */
export function formOn(scene: Scene, page: Page, { isPost, action, names }: PageForm): ShownForm | undefined {
  return shownForms(page).find((form) => keyIn(scene, page, form) === keyOf({ isPost, action, names }));
}

const namesOf = (form: Form): string => [...form.names].toSorted().join(' ');
const actionOf = (scene: Scene, page: Page, form: Form): string => generic(scene, form.action || page.url.pathname);
const keyIn = (scene: Scene, page: Page, form: ShownForm): string =>
  keyOf({ isPost: form.isPost, action: actionOf(scene, page, form), names: namesOf(form) });

function generic({ ids }: Scene, path: string): string {
  const named = Object.entries(ids).reduce(
    (text, [name, id]) => text.replaceAll(encodeURIComponent(id), `{${name}}`).replaceAll(id, `{${name}}`),
    path,
  );
  return named.replace(INTERACTION, '/oauth/interaction/{uid}');
}

/** Opens a page of a walk in another scene. */
export async function openPage(scene: Scene, path: string): Promise<Page> {
  const { flow, ids } = scene;
  const named = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(`{${name}}`, id), path);
  const authorization = flow.authorizationUrl({ prompt: 'consent' });
  if (!named.includes('{uid}'))
    return flow.browser.open(
      named.includes('&prompt=')
        ? flow.authorizationUrl({ prompt: 'select_account' })
        : named.replace('{authorization}', authorization),
    );
  const first = await flow.browser.open(authorization);
  const here = INTERACTION.exec(first.url.pathname)?.[0] ?? '';
  const target = named.replace('/oauth/interaction/{uid}', here);
  return target === here ? first : flow.browser.open(target);
}
