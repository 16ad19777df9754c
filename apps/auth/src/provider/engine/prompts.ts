import { interactionPolicy } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { CREATE_PROMPT } from '#src/protocol/capabilities.js';
import type { SiteRecord } from '#src/sites/site.js';
import { accountUnavailable, hintOfAnotherSubject } from './engine.internals.js';

export type Prompts = ReturnType<typeof interactionPolicy.base>;

/**
 * Prompts: sign-up on request where the site allows it, sign-in, then consent. A session of an erased or suspended
 * person requires a new sign-in. account-finder.ts decides about remembered approvals, for native and other clients.
 */
export function promptsOf({ settings }: SiteRecord): Prompts {
  const policy = interactionPolicy.base();
  // Without the prompt the engine refuses `prompt=create` as an unsupported value.
  if (settings.sign_up) policy.add(new interactionPolicy.Prompt({ name: CREATE_PROMPT, requestable: true }), 0);
  const { checks } = policy.get('login') ?? {};
  checks?.remove('id_token_hint');
  checks?.add(hintOfAnotherSubject());
  checks?.add(accountUnavailable());
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}

/** True when the engine asks the person, or refuses `prompt=none`, without a look at a grant. */
export async function needsPrompt(prompts: Prompts, context: KoaContextWithOIDC): Promise<boolean> {
  const { oidc } = context;
  if (oidc.prompts.has('consent') && oidc.promptPending('consent')) return true;
  const checks = prompts.filter(({ name }) => name !== 'consent').flatMap((prompt) => [...prompt.checks]);
  const results = await Promise.all(checks.map(async ({ check }) => check(context)));
  return results.includes(true);
}
