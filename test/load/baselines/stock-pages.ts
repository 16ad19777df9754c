import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';

export interface StockPage {
  readonly html: string;
  /** The address of the form, which each interaction has for itself. */
  readonly action: string;
}

export interface StockPages {
  readonly signIn: StockPage;
  readonly consent: StockPage;
}

/**
 * The interactions of oidc-provider's documentation with given pages. A sign-in needs no password: a round begins with
 * signed-in people.
 */
export function serveInteractions(provider: Provider, { signIn, consent }: StockPages): void {
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next();
    const { uid, prompt, params, session, grantId } = await provider.interactionDetails(ctx.req, ctx.res);
    if (ctx.method === 'GET') {
      const { html, action } = prompt.name === 'login' ? signIn : consent;
      ctx.set('cache-control', 'no-store');
      ctx.type = 'html';
      ctx.body = html.replaceAll(action, `/interaction/${uid}`);
      return;
    }
    const form = await formOf(ctx.req);
    ctx.respond = false;
    if (prompt.name === 'login') {
      const result = { login: { accountId: form.get('email') ?? '' } };
      return provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    }
    const former = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant =
      former ?? new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    const result = { consent: { grantId: await grant.save() } };
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true });
  });
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}
