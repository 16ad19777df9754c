/*
 * Authorization code flow with PKCE for the explorer and the reference. The access token stays in memory: a reload
 * forgets it. Only the verifier of a started sign-in is stored, until the browser comes back.
 *
 * No window of its own: the pages of the sign-in cut the connection to a window that opened them
 * (Cross-Origin-Opener-Policy).
 */
const STORED = 'lyceum.sign-in';
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

let token;
let client;

export const accessToken = () => token;

/** Leaves the page for the sign-in and the consent, which is always shown. */
async function signIn({ clientId, scope, redirectUri }) {
  const [state, verifier] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const { hash } = location;
  sessionStorage.setItem(STORED, JSON.stringify({ state, verifier, clientId, redirectUri, hash }));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    resource: location.origin,
    prompt: 'consent',
  });
  location.assign(`/oauth/authorize?${query}`);
}

/** Finishes a sign-in that has come back to this page. Returns an error for the person, or nothing. */
async function finishSignIn({ notStarted }) {
  const query = new URLSearchParams(location.search);
  if (!query.has('state')) return undefined;
  const stored = JSON.parse(sessionStorage.getItem(STORED) ?? '{}');
  history.replaceState(null, '', `${location.pathname}${stored.hash ?? ''}`);
  sessionStorage.removeItem(STORED);
  if (query.get('state') !== stored.state || query.get('iss') !== location.origin) return notStarted;
  if (query.has('error')) return query.get('error_description') ?? query.get('error');
  const response = await fetch('/api/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: query.get('code') ?? '',
      code_verifier: stored.verifier,
      client_id: stored.clientId,
      redirect_uri: stored.redirectUri,
      resource: location.origin,
    }),
  });
  const body = await response.json();
  if (!response.ok) return body.error_description ?? body.error;
  token = body.access_token;
  client = stored.clientId;
  return undefined;
}

/** Revokes the token. The reload forgets what was read with it. */
async function signOut() {
  const body = new URLSearchParams({ token, client_id: client });
  await fetch('/api/oauth/revoke', { method: 'POST', body });
  location.reload();
}

/** Connects the form of the page. Resolves when a sign-in that has come back is finished. */
export async function startSignIn() {
  const form = document.getElementById('sign-in');
  const state = document.getElementById('state');
  const leave = document.getElementById('sign-out');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = new FormData(form);
    const clientId = values.get('client_id').trim();
    void signIn({ clientId, scope: values.get('scope').trim(), redirectUri: form.dataset.redirectUri });
  });
  leave.addEventListener('click', () => void signOut());
  const error = await finishSignIn(form.dataset);
  const isIn = token !== undefined;
  state.textContent = error ?? (isIn ? form.dataset.signedIn : '');
  form.hidden = isIn;
  leave.hidden = !isIn;
}
