import type { KoaContextWithOIDC } from 'oidc-provider';

const UNSAVED = 'session_was_not_saved';

interface Context {
  readonly state: Record<string, unknown>;
  readonly response: { get(name: string): string | string[]; set(name: string, value: string[]): void };
}

/** The session of the request was not saved: the browser keeps the cookie that it has. */
export function leaveCookies(ctx: KoaContextWithOIDC | undefined): void {
  if (ctx !== undefined) ctx.state[UNSAVED] = true;
}

/** By then the engine has set the cookie: it does that before it saves. */
export function withdrawCookie({ state, response }: Context, name: string): void {
  if (state[UNSAVED] !== true) return;
  const lines = [response.get('set-cookie')].flat();
  response.set(
    'set-cookie',
    lines.filter((line) => !line.startsWith(`${name}=`) && !line.startsWith(`${name}.sig=`)),
  );
}
